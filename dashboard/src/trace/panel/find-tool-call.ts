// From a tool call in a message to the span that ran it.

type ToolSpan = { readonly tool_call_id: string | null }

/** The span of this tool call id that is not the one looked from; -1: none. */
export const findToolCall = (spans: readonly ToolSpan[], from: number, toolCallId: string): number =>
  spans.findIndex(({ tool_call_id: id }, node) => node !== from && id === toolCallId)
