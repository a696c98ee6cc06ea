// The dialect of Bifrost, a gateway. It uses OpenTelemetry's names. Its scope has the name of the service, which is `bifrost` by default: under
// another name, its spans have to be known by what else they have.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const callNames = anyOf(
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
)
/** Each attempt has both; the first releases have only the second one. */
const attemptNames = anyOf('gen_ai.operation.name', 'request.type')

/** It copies the model and the messages of a call to the spans around and before it: of the request, the choice of a key, and fallbacks. */
const kindOfStep = ({ attributes }: SpanReading): Kind | null =>
  has(attributes, callNames) && !has(attributes, attemptNames) ? 'chain' : null

export const bifrost: Dialect = {
  name: 'bifrost',
  marks: {
    scopes: ['bifrost*'],
    spans: ['key.selection'],
    attributes: ['bifrost.request.id', 'bifrost.provider.name', 'fallback.index'],
  },
  reads: { kind: { on: { own: true }, read: kindOfStep } },
}
