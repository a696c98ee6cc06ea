// The dialect of Claude Code, whose names have no namespace.
import { anyOf } from '../../../event/names.ts'
import { firstPresent, firstText } from '../../attribute.ts'
import type { Dialect, TextRead } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import { isOf } from '../../span-reading.ts'

const name = 'claude-code'
const sourceNames = anyOf('query_source')
const outputNames = anyOf('output', 'content', 'tool_output')
const agentSource = 'agent:'

/** Returns the agent in the source of a query. Only the source of a subagent names one; other sources name a part of the program. */
const subagent: TextRead = ({ attributes }) => {
  const source = firstText(attributes, sourceNames)
  return source?.startsWith(agentSource) && source.length > agentSource.length ? source.slice(agentSource.length) : null
}

const prompt = inAttributes(['user_prompt'], [])

export const claudeCode: Dialect = {
  name,
  marks: { scopes: ['com.anthropic.claude_code*'], spans: ['claude_code.'] },
  /** The spans of steps inside a tool call do not name the tool. */
  namelessToolSpans: ['claude_code.tool.'],
  names: {
    session: ['session.id'],
    ttftMs: ['ttft_ms'],
    toolName: ['tool_name'],
    toolCallId: ['tool_use_id'],
    toolArguments: ['tool_input'],
  },
  bare: {
    requestModel: ['model'],
    inputTokens: ['input_tokens'],
    outputTokens: ['output_tokens'],
    cachedTokens: ['cache_read_tokens', 'cache_read_input_tokens'],
    cacheWriteTokens: ['cache_creation_tokens', 'cache_creation_input_tokens'],
  },
  bareInputExcludesCache: true,
  own: {
    contextAgent: [subagent],
    finishReasons: ['stop_reason'],
    errorMessage: ['error'],
  },
  messages: [inAttributes([], ['response.model_output'])],
  lateMessages: [(reading, way) => (isOf(reading, name) ? prompt(reading, way) : null)],
  content: { in: ['user_prompt', 'tool_input'], out: ['response.model_output', 'tool.output'] },
  reads: {
    kind({ span }) {
      if (!span.name.startsWith('claude_code.')) return null
      if (span.name === 'claude_code.llm_request') return 'llm'
      if (span.name.startsWith('claude_code.tool')) return 'tool'
      return span.name === 'claude_code.interaction' ? 'chain' : 'other'
    },
    hasFailed: {
      on: { own: true },
      read({ attributes }) {
        const success = attributes.get('success')
        return success === false || success === 'false'
      },
    },
    toolEvent: (event, way) =>
      way === 'output' && event.name === 'tool.output'
        ? (firstPresent(event.attributes, outputNames) ?? event.attributes)
        : undefined,
  },
}
