// Finds the span that ran a tool call of a message.

type ToolSpan = { readonly tool_call_id: string | null }

/** Returns the first node other than `from` that has this tool call id; -1 if none. */
export const findToolCall = (spans: readonly ToolSpan[], from: number, toolCallId: string): number =>
  spans.findIndex(({ tool_call_id: id }, node) => node !== from && id === toolCallId)
