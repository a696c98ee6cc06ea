// The dialect of LiveKit Agents.
import type { Dialect } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'

export const liveKit: Dialect = {
  name: 'livekit',
  marks: {
    scopes: ['livekit*'],
    attributes: ['lk.function_tool.name', 'lk.chat_ctx', 'lk.user_input', 'lk.response.text'],
  },
  names: {
    toolMarks: ['lk.function_tool.name'],
    toolName: ['lk.function_tool.name'],
    toolCallId: ['lk.function_tool.id'],
    toolArguments: ['lk.function_tool.arguments'],
    toolResult: ['lk.function_tool.output'],
  },
  messages: [inAttributes(['lk.chat_ctx', 'lk.user_input'], ['lk.response.text'])],
  content: { apart: ['lk.*'] },
}
