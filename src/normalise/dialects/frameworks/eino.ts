// The dialect of Eino, in Go, as its callback for APMPlus reports it: each component of a graph with its input and output as messages.
import { anyOf } from '../../../event/names.ts'
import { first } from '../../attribute.ts'
import { isObject, type JsonObject, parseJson, parseStructure } from '../../json.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const inputNames = anyOf('gen_ai.prompt.0.content')

/** Returns the arguments of a tool, which are JSON text in a JSON text, or in a member of an object; null for any other input. */
function readArguments({ attributes, flags }: SpanReading): JsonObject | null {
  const text = first(attributes, inputNames)
  const given = typeof text === 'string' ? parseJson(text, flags) : null
  const inner = isObject(given) ? given['ArgumentsInJSON'] : given
  const parsed = typeof inner === 'string' ? parseStructure(inner, flags) : null
  return isObject(parsed) ? parsed : null
}

export const eino: Dialect = {
  name: 'eino',
  marks: { scopes: ['github.com/cloudwego/eino-ext/callbacks/apmplus*'], attributes: ['runinfo.component'] },
  // `gen_ai.span.kind` is `workflow` on the first span of a trace, whichever component it is.
  kinds: [
    {
      attribute: 'runinfo.component',
      kinds: {
        chatmodel: 'llm',
        agenticmodel: 'llm',
        embedding: 'embedding',
        tool: 'tool',
        retriever: 'retriever',
        agent: 'agent',
        agenticagent: 'agent',
      },
      guess: () => 'chain',
    },
  ],
  late: { session: ['gen_ai.session.id'], user: ['gen_ai.user.id'] },
  own: { toolArguments: inputNames.all, toolResult: ['gen_ai.completion.0.content'] },
  content: { in: ['gen_ai.input'], out: ['gen_ai.output'] },
  reads: {
    isProviderUnknown: { on: { own: true }, read: (_, provider) => provider === 'eino' },
    toolArguments: { on: { own: true }, read: readArguments },
  },
}
