// The dialect of Semantic Kernel, in Python and .NET. It uses OpenTelemetry's names, and reports each of its functions as a tool.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const toolNames = anyOf('gen_ai.tool.name')
const callIdNames = anyOf('gen_ai.tool.call.id')
/** The span around the calls of a model and of the tools that it asks for. */
const loopNames = anyOf('sk.available_functions')

/** The names that Semantic Kernel makes up for functions of a prompt, another one on each call: of Python, and of .NET. */
const randomName = /^[A-Za-z]{16}$|_[\da-f]{32}$/

/** A function that Semantic Kernel made of a prompt is only a step around the call of a model. No model asked for it. */
function restateKind({ attributes }: SpanReading, kind: Kind): Kind | null {
  if (kind !== 'tool' || has(attributes, callIdNames)) return null
  return randomName.test(firstText(attributes, toolNames) ?? '') ? 'chain' : null
}

/**
 * The names of agents that the application did not name: in Python 16 random letters, others on each run, and in .NET. Letters that could be
 * words are a name: hardly any random ones have neither two capitals in a row nor four capitals after a small letter.
 */
const unnamed = /^(?:agent_(?=[A-Za-z]{16}$)(?:.*[A-Z]{2}|(?:.*[a-z][A-Z]){4}).*|UnnamedAgent)$/

export const semanticKernel: Dialect = {
  name: 'semantic-kernel',
  marks: { scopes: ['semantic_kernel*', 'Microsoft.SemanticKernel*'], attributes: loopNames.all },
  /** The operation of all its services for text in Python. */
  operations: { text_completions: 'llm' },
  reads: {
    kind: {
      on: { attributes: loopNames.all },
      read: ({ attributes }) => (has(attributes, loopNames) ? 'chain' : null),
    },
    restatedKind: { on: { own: true }, read: restateKind },
    isAgentUnknown: { on: { own: true }, read: (_, _kind, name) => unnamed.test(name) },
  },
}
