// Floor 1. Genkit, by Google.
import type { Dialect } from '../merge/definition.ts'
import { inAttributes } from '../messages/sources.ts'

export const genkit: Dialect = {
  name: 'genkit',
  marks: { scopes: ['genkit*'], attributes: ['genkit:input', 'genkit:output', 'genkit:type'] },
  names: { toolArguments: ['genkit:input'], toolResult: ['genkit:output'] },
  messages: [inAttributes(['genkit:input'], ['genkit:output'])],
  content: { in: ['genkit:input'], out: ['genkit:output'] },
}
