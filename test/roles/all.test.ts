import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'

let service: TestService
test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

test('a batch of real OTLP/JSON shows up in the summary, the traces, the agents and the usage', async (t) => {
  const start = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 1_200_000_000n),
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.provider.name', value: { stringValue: 'openai' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: '200' } },
    ],
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  const sent = await service.call('POST', '/v1/otlp/v1/traces', { token: service.key, body })
  t.deepEqual([sent.status, sent.json], [200, {}])
  await service.settled()
  const at = `/v1/workspaces/${service.workspaceId}`
  t.like((await service.call('GET', `${at}/stats/summary`)).json, {
    total_events: 1,
    llm_calls: 1,
    input_tokens: 1000,
    p50_duration_ms: 1200,
  })
  t.like((await service.call('GET', `${at}/traces`)).json, {
    items: [{ name: 'chat gpt-4o', settled: true, models: ['gpt-4o'] }],
  })
  t.like((await service.call('GET', `${at}/agents`)).json, [{ name: 'unknown', status: 'active' }])
  t.like((await service.call('GET', `${at}/usage`)).json, { accepted_events: 1, quota_exceeded: false })
})
