// The dialect of Mirascope. Its calls have OpenTelemetry's names, except for the cache. Its traced functions have names of its own.
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import { fillFromUsage } from '../../usage/provider-usage.ts'

const modelNames = anyOf('mirascope.response.model_id')
const usageNames = anyOf('mirascope.response.usage')
const inputs = ['mirascope.response.messages', 'mirascope.trace.arg_values']
const outputs = ['mirascope.response.content', 'mirascope.trace.output']

export const mirascope: Dialect = {
  name: 'mirascope',
  marks: { scopes: ['mirascope*'], attributes: ['mirascope.type'] },
  own: { session: ['mirascope.ops.session.id'], provider: ['mirascope.response.provider_id'] },
  messages: [inAttributes(inputs, outputs)],
  content: { in: inputs, out: outputs, apart: ['mirascope.trace.metadata'] },
  reads: {
    /** A traced function that returns the answer of a model is the only report of the call, unless the calls are traced as well. */
    kind: { on: { own: true }, read: ({ attributes }) => (has(attributes, usageNames) ? 'llm' : 'chain') },
    model: { on: { own: true }, read: ({ attributes }) => firstText(attributes, modelNames) },
    callUsage: {
      on: { attributes: usageNames.all },
      read(reading, told) {
        const usage = reading.object(usageNames)
        if (usage !== null) fillFromUsage(usage, told, reading.flags)
      },
    },
  },
}
