// Floor 1. Whether two spans name one tool: a host of several MCP servers puts the name of the server in front of the tool's own.

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

/**
 * The name of each span's tool: of a span of the protocol that which its host gives it, if just one among the spans may be it. `named`: the
 * places of spans with a name. Cost: O(n), and one comparison for each pair of a name of the protocol and one of a host.
 */
export function listHostNames(spans: readonly NamedTool[], named: readonly number[]): (index: number) => string | null {
  const ofHosts = new Map<string, NamedTool>()
  const ofProtocol = new Map<string, NamedTool>()
  for (const index of named) {
    const span = spans[index] as NamedTool
    ;(isOfMcp(span) ? ofProtocol : ofHosts).set(span.toolName ?? '', span)
  }
  const hostNames = new Map<string, string>()
  for (const [name, span] of ofProtocol) {
    if (ofHosts.has(name)) continue
    const [only, ...others] = [...ofHosts].filter(([, host]) => isMcpNameOf(span, host))
    if (only !== undefined && others.length === 0) hostNames.set(name, only[0])
  }
  return (index) => {
    const { toolName } = spans[index] as NamedTool
    return hostNames.get(toolName ?? '') ?? toolName
  }
}
