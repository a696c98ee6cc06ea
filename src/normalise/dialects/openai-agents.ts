// The dialect of OpenTelemetry's instrumentation of the OpenAI Agents SDK, which uses the names of OpenTelemetry.
import { anyOf } from '../../event/names.ts'
import { firstText } from '../attribute.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'

/** The agent's name on all spans except those of agents, unless the application sets one name for all spans. */
const standIn = 'OpenAI Agent'
const targetNames = anyOf('gen_ai.handoff.to_agent')

/** Returns the name that OpenInference gives a handoff. */
const toolOfHandoff: TextRead = ({ attributes }) => {
  const to = firstText(attributes, targetNames)
  return to === null ? null : `handoff to ${to}`
}

export const openAiAgents: Dialect = {
  name: 'openai-agents',
  marks: { values: { 'gen_ai.agent.description': 'OpenAI Agents instrumentation' } },
  /** The model asks for a handoff as it asks for a tool. */
  operations: { agent_handoff: 'tool' },
  own: { toolName: [toolOfHandoff] },
  reads: {
    isAgentUnknown: { on: { own: true }, read: (_, kind, name) => kind !== 'agent' && name === standIn },
  },
}
