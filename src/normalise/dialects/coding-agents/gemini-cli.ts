// The dialect of Gemini CLI, the coding agent of Google. It uses OpenTelemetry's names and operations of its own.
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import { isObject } from '../../json.ts'
import type { Dialect } from '../../merge/definition.ts'

const modelNames = anyOf('gen_ai.request.model')
const inputNames = anyOf('gen_ai.input.messages')
const outputNames = anyOf('gen_ai.output.messages')

/** The start of the result of a tool that failed, which is cut if it is long. The span does not fail. */
const failure = '{"status":"error"'

export const geminiCli: Dialect = {
  name: 'gemini-cli',
  marks: { scopes: ['gemini-cli*'] },
  operations: {
    llm_call: 'llm',
    tool_call: 'tool',
    agent_call: 'agent',
    user_prompt: 'chain',
    system_prompt: 'chain',
    schedule_tool_calls: 'chain',
  },
  own: { toolCallId: ['gen_ai.tool.call_id'] },
  reportsEachTool: true,
  reads: {
    isEmbedding: {
      on: { own: true },
      read: ({ attributes }) => firstText(attributes, modelNames)?.includes('embedding') === true,
    },
    hasFailed: {
      on: { own: true },
      read: ({ attributes }) => firstText(attributes, outputNames)?.startsWith(failure) === true,
    },
    /**
     * The input is the whole request of the tool, with the id of the call. The output is not read: it contains the definition of the tool
     * before the result, and is cut after 10,000 characters.
     */
    toolArguments: {
      on: { own: true },
      read(reading) {
        const given = reading.object(inputNames)?.['args']
        return isObject(given) ? given : null
      },
    },
  },
}
