// Whether two spans name one tool: a host of several MCP servers puts the name of the server in front of the tool's own.

/** What a span says of the tool that it called. */
export type NamedTool = { readonly scopeName: string | null; readonly toolName: string | null }

/** `mcp-python-sdk`, `opentelemetry.instrumentation.mcp`, `@modelcontextprotocol/sdk`: who traces the protocol knows the tool's own name alone. */
const mcpScope = /(?:^|[^a-z])(?:mcp|modelcontextprotocol)(?:[^a-z]|$)/i
const isOfMcp = ({ scopeName }: NamedTool): boolean => scopeName !== null && mcpScope.test(scopeName)

const separator = /[^\p{L}\p{N}]/u

/** `mcp__weather__get_weather`, `weather-get_weather` or `weather.get_weather` for `get_weather`. */
const endsWithTool = (name: string, tool: string): boolean =>
  name.length > tool.length && name.endsWith(tool) && separator.test(name.charAt(name.length - tool.length - 1))

const isMcpNameOf = (one: NamedTool, other: NamedTool): boolean =>
  one.toolName !== null &&
  other.toolName !== null &&
  endsWithTool(other.toolName, one.toolName) &&
  isOfMcp(one) &&
  !isOfMcp(other)

/** By the name, or by the end of the host's name where the other span is one of the protocol. */
export const isSameTool = (one: NamedTool, other: NamedTool): boolean =>
  one.toolName === other.toolName || isMcpNameOf(one, other) || isMcpNameOf(other, one)

/** Of a host's name no more ends are looked up: `mcp`, a server and its tool, each of a few words. */
const maxEnds = 16
const separators = new RegExp(separator.source, 'gu')

/**
 * The name of each span's tool: of a span of the protocol that which its host gives it, if just one among the spans may be it. `named`: the
 * places of spans with a name. Cost: O(n), and up to 16 entries for each name of a host.
 */
export function listHostNames(spans: readonly NamedTool[], named: readonly number[]): (index: number) => string | null {
  const ofHosts = new Set<string>()
  const ofProtocol = new Set<string>()
  for (const index of named) {
    const span = spans[index] as NamedTool
    ;(isOfMcp(span) ? ofProtocol : ofHosts).add(span.toolName ?? '')
  }
  const hostNames = ofProtocol.size === 0 ? new Map<string, string | null>() : listEnds(ofHosts)
  return (index) => {
    const span = spans[index] as NamedTool
    const name = span.toolName ?? ''
    if (!ofProtocol.has(name) || ofHosts.has(name)) return span.toolName
    return hostNames.get(name) ?? span.toolName
  }
}

/** By what stands behind a separator, the name that ends so; null where several do. */
function listEnds(names: Iterable<string>): Map<string, string | null> {
  const ends = new Map<string, string | null>()
  for (const name of names) {
    let count = 0
    for (const { 0: sign, index } of name.matchAll(separators)) {
      if (++count > maxEnds) break
      const end = name.slice(index + sign.length)
      ends.set(end, ends.has(end) ? null : name)
    }
  }
  return ends
}
