// OpenTelemetry's own instrumentation of the Agents SDK of OpenAI, which writes the names of OpenTelemetry.
import { anyOf } from '../../otlp/names.ts'
import { firstText } from '../attribute.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'

/** On all spans but those of agents, unless the application sets one name for all of them. */
const standIn = 'OpenAI Agent'
const targetNames = anyOf('gen_ai.handoff.to_agent')

/** As OpenInference names a handoff. */
const toolOfHandoff: TextRead = ({ attributes }) => {
  const to = firstText(attributes, targetNames)
  return to === null ? null : `handoff to ${to}`
}

export const openAiAgents: Dialect = {
  name: 'openai-agents',
  marks: { values: { 'gen_ai.agent.description': 'OpenAI Agents instrumentation' } },
  /** The model asks for a handoff as for a tool. */
  operations: { agent_handoff: 'tool' },
  own: { toolName: [toolOfHandoff] },
  reads: {
    isAgentUnknown: { on: { own: true }, read: (_, kind, name) => kind !== 'agent' && name === standIn },
  },
}
