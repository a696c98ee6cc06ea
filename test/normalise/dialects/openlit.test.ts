import test from 'ava'
import { counts, read } from '../_span.ts'

const call = (scope: string, outputTokens: number) =>
  read({
    name: 'chat a-model',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'a-model',
      'gen_ai.usage.input_tokens': 2_000,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.reasoning_tokens': 64,
      'gen_ai.usage.cache_read.input_tokens': 64,
    },
  })

test("OpenLIT's output of Gemini excludes the thoughts, also where it is larger; that of OpenAI includes the reasoning", (t) => {
  const gemini = call('openlit.instrumentation.google_ai_studio', 112)
  t.deepEqual(counts(gemini.usage), [2_000, 176, 64, null, 64])
  t.true(gemini.flags.has('usage_adjusted'))
  t.deepEqual(counts(call('openlit.instrumentation.google_ai_studio', 12).usage), [2_000, 76, 64, null, 64])
  t.deepEqual(counts(call('openlit.instrumentation.openai', 112).usage), [2_000, 112, 64, null, 64])
})
