// Decides whether two spans name the same tool: a host of several MCP servers prefixes the name of a tool with the name of its server.

/** The names by which the tool that a span called is compared. */
export type NamedTool = { readonly scopeName: string | null; readonly toolName: string | null }

/**
 * The scopes of MCP instrumentations: `mcp-python-sdk`, `fastmcp`, `opentelemetry.instrumentation.mcp`, `@modelcontextprotocol/sdk`. They
 * know a tool only by its own name, without the prefix of the host.
 */
const mcpScope = /(?:^|[^a-z])(?:(?:fast)?mcp|modelcontextprotocol)(?:[^a-z]|$)/i
const isOfMcp = ({ scopeName }: NamedTool): boolean => scopeName !== null && mcpScope.test(scopeName)

const separator = /[^\p{L}\p{N}]/u

/**
 * Whether `name` is `tool` behind a prefix: `mcp__weather__get_weather`, `weather-get_weather` or `weather.get_weather` for `get_weather`.
 */
const endsWithTool = (name: string, tool: string): boolean =>
  name.length > tool.length && name.endsWith(tool) && separator.test(name.charAt(name.length - tool.length - 1))

const isBehindPrefix = (one: NamedTool, other: NamedTool): boolean =>
  one.toolName !== null && other.toolName !== null && endsWithTool(other.toolName, one.toolName)

/**
 * Whether a tool span, `inner`, names the same tool as one around it, `outer`. The names are equal, or one span is of an MCP scope, and the
 * other's name ends with its name. Both may be of MCP scopes if the outer one has the longer name: a server that has mounted another one
 * puts a prefix before its tools.
 */
export const isSameTool = (inner: NamedTool, outer: NamedTool): boolean =>
  inner.toolName === outer.toolName ||
  (isOfMcp(inner) && isBehindPrefix(inner, outer)) ||
  (isOfMcp(outer) && !isOfMcp(inner) && isBehindPrefix(outer, inner))

/** The most endings that are recorded of a host's name. It consists of `mcp`, a server and its tool, each of a few words. */
const maxEnds = 16
const separators = new RegExp(separator.source, 'gu')

/**
 * Returns a function that gives the name of the tool of the span at an index. For a span of an MCP scope this is the name that the host
 * uses, if exactly one name that a host uses ends with the tool's own. `named`: the indices of the spans with a tool name. Cost: O(n),
 * and up to 16 entries for each name of a host.
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

/** Returns, by each ending that follows a separator, the name with this ending; null where several names have it. */
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
