// The dialect of ReqLLM, in Elixir, which uses OpenTelemetry's names and passes on the counts of each provider.
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { providerOf } from '../../provider-name.ts'
import type { SpanReading } from '../../span-reading.ts'
import { addThoughts } from '../../usage/add-thoughts.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

const modelNames = anyOf('gen_ai.request.model')

const modelOf = ({ attributes }: SpanReading): string | null => firstText(attributes, modelNames)

/** Whether Google answered by its own API. A gateway that offers Gemini counts as OpenAI does. */
const isGemini = (reading: SpanReading): boolean =>
  providerOf(reading)?.startsWith('gcp.') === true && modelOf(reading)?.includes('gemini') === true

export const reqLlm: Dialect = {
  name: 'req-llm',
  marks: { scopes: ['req_llm*'], attributes: ['req_llm.request_id'] },
  reads: {
    excludesCache: { on: { own: true }, read: (reading) => excludesCacheItself(providerOf(reading), modelOf(reading)) },
    callUsage: {
      on: { own: true },
      read(reading, told) {
        if (isGemini(reading)) addThoughts(told, reading.flags)
      },
    },
  },
}
