// Ingest over HTTP: the outcome of each span in the answer, in the rows and in the usage.
import { connect } from 'node:net'
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, makeTraceSpans, type OtlpSpan } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { count, json, listDifferences, post, protobuf, tracesPath } from './_http.ts'
import { lockTable } from './_lock.ts'

let service: TestService
test.before(async () => {
  service = await startService()
})
test.after.always(async () => await service.stop())

// Serial: the tests share this thread with the service, and those that strain it would starve the others.

async function makeTenant() {
  const tenant = await service.addWorkspace()
  return {
    ...tenant,
    counts: async () => await count(service.query, tenant.workspaceId),
    post: async (spans: OtlpSpan[]) => await post(service, encodeRequest(spans), { key: tenant.key }),
    usage: async () =>
      (await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/usage`, { token: tenant.accessToken }))
        .json as Record<string, unknown>,
  }
}

const day = 86_400_000

test.serial(
  'of 1,000 spans with one poisoned, 999 are stored and one is rejected with a reason; five times over changes nothing',
  async (t) => {
    const tenant = await makeTenant()
    const spans = makeTraceSpans(1_000)
    // Invalid UTF-8 inside one span: a decoder of the whole message would refuse all of it.
    const body = encodeRequest(spans.map((span, at) => (at === 500 ? { ...span, name: 'POISON' } : span)))
    const at = body.indexOf('POISON')
    body[at] = 0xff
    for (let sent = 1; sent <= 5; sent += 1) {
      const reply = await post(service, body, { key: tenant.key })
      t.is(reply.status, 200)
      t.is(reply.rejected, 1)
      t.regex(reply.message, /undecodable_span/)
      const counts = await tenant.counts()
      t.is(counts.events, 999)
      t.is(counts.duplicate, 999 * (sent - 1))
      t.is(counts.rejected, sent)
      t.deepEqual(listDifferences(counts), [])
    }
    t.is((await tenant.usage())['accepted_events'], 999)
  },
)

test.serial('the same in JSON', async (t) => {
  const tenant = await makeTenant()
  const body = encodeRequest([...makeTraceSpans(99), makeSpan({ spanId: '00'.repeat(8) })], 'json')
  const reply = await post(service, body, { key: tenant.key, contentType: json })
  t.is(reply.rejected, 1)
  t.regex(reply.message, /span_id/)
  t.is((await tenant.counts()).events, 99)
})

test.serial('a span twice in one batch is stored once and counted once, and is no rejection', async (t) => {
  const tenant = await makeTenant()
  const span = makeSpan()
  const reply = await tenant.post([span, span, makeSpan()])
  t.is(reply.rejected, 0)
  t.is(reply.message, '')
  const counts = await tenant.counts()
  t.is(counts.events, 2)
  t.is(counts.duplicate, 1)
  t.deepEqual(listDifferences(counts), [])
})

test.serial('the first of two spans with the same identity is stored', async (t) => {
  const tenant = await makeTenant()
  const first = makeSpan({
    name: 'first',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 },
  })
  await tenant.post([first])
  const reply = await tenant.post([{ ...first, name: 'second' }])
  t.is(reply.status, 200)
  t.is(reply.rejected, 0)
  const rows = await service.query<{ name: string }>('select name from events where workspace_id = $1', [
    tenant.workspaceId,
  ])
  t.deepEqual(rows, [{ name: 'first' }])
  t.deepEqual(listDifferences(await tenant.counts()), [])
})

test.serial('the same ids in two workspaces are two events', async (t) => {
  const [one, two] = [await makeTenant(), await makeTenant()]
  const spans = makeTraceSpans(10)
  await Promise.all([one.post(spans), two.post(spans)])
  t.is((await one.counts()).events, 10)
  t.is((await two.counts()).events, 10)
})

test.serial('the same batch many times at once is stored once', async (t) => {
  const tenant = await makeTenant()
  const spans = makeTraceSpans(200)
  const replies = await Promise.all(Array.from({ length: 12 }, async () => await tenant.post(spans)))
  t.deepEqual(
    replies.filter(({ status }) => status !== 200),
    [],
  )
  const counts = await tenant.counts()
  t.is(counts.events, 200)
  t.is(counts.duplicate, 200 * 11)
  t.deepEqual(listDifferences(counts), [])
})

test.serial('a span that is too old or too far in the future is rejected, and the others are stored', async (t) => {
  const tenant = await makeTenant()
  const reply = await tenant.post([
    makeSpan(),
    makeSpan({ start: Date.now() + 11 * 60_000 }),
    makeSpan({ start: Date.now() - 8 * day }),
    makeSpan({ start: 0n }),
    makeSpan({ start: 2n ** 64n - 1n, end: 2n ** 64n - 1n }),
    makeSpan({ start: Date.now() + 9 * 60_000 }),
    makeSpan({ start: Date.now() - 6.9 * day }),
  ])
  t.is(reply.rejected, 4)
  t.regex(reply.message, /start_time_in_future.*600 s after/)
  t.regex(reply.message, /start_time_too_old.*7 d before/)
  t.is((await tenant.counts()).events, 3)
})

test.serial('kinds and statuses that do not exist are read as unspecified', async (t) => {
  const tenant = await makeTenant()
  const reply = await tenant.post([makeSpan({ kind: 99, status: { code: 77, message: 'x' } })])
  t.is(reply.rejected, 0)
  const rows = await service.query<{ status: string }>('select status from events where workspace_id = $1', [
    tenant.workspaceId,
  ])
  t.is(rows.length, 1)
  t.not(rows[0]?.status, 'error')
})

test.serial('a name that is empty is unknown, and one of 1 MiB is cut', async (t) => {
  const tenant = await makeTenant()
  const reply = await tenant.post([
    makeSpan({ name: '' }),
    makeSpan({ name: 'n'.repeat(1_048_576) }),
    makeSpan({ name: 'agent', attributes: { 'gen_ai.agent.name': 'a'.repeat(1_048_576) } }),
  ])
  t.is(reply.status, 200)
  const rows = await service.query<{ name: string }>('select name from events where workspace_id = $1', [
    tenant.workspaceId,
  ])
  t.true(rows.some(({ name }) => name === 'unknown'))
  t.true(rows.every(({ name }) => Buffer.byteLength(name) <= 1_100))
  const agents = await service.query<{ name: string }>('select name from agents where workspace_id = $1', [
    tenant.workspaceId,
  ])
  t.true(agents.every(({ name }) => Buffer.byteLength(name) <= 1_100))
  t.deepEqual(listDifferences(await tenant.counts()), [])
})

test.serial('a body that is cut off stores nothing', async (t) => {
  const tenant = await makeTenant()
  const body = encodeRequest(makeTraceSpans(50))
  const head = `POST ${tracesPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\ncontent-type: ${protobuf}\r\ncontent-length: ${body.length}\r\n\r\n`
  await new Promise<void>((done) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => {
      socket.write(head)
      socket.write(body.subarray(0, body.length - 20), () => socket.destroy())
    })
    socket.on('close', () => done())
  })
  // A later request on the same path is processed after the earlier one.
  await tenant.post([makeSpan()])
  t.is((await tenant.counts()).events, 1)
})

test.serial(
  'a client that does not wait for its answer has its spans stored once, and sending them again stores no more',
  async (t) => {
    const tenant = await makeTenant()
    const spans = makeTraceSpans(50)
    const body = encodeRequest(spans)
    const head = `POST ${tracesPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\ncontent-type: ${protobuf}\r\ncontent-length: ${body.length}\r\n\r\n`
    // Settling uses a connection of the same pool, and would wait for the lock as well.
    await until(async () => (await service.query('select from traces where not settled')).length === 0)
    const lock = await lockTable(service, 'events')
    try {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(Buffer.concat([Buffer.from(head), body]))
      await lock.waitedFor('ingest')
      socket.destroy()
    } finally {
      await lock.release()
    }
    t.is((await tenant.post(spans)).status, 200)
    await until(async () => (await tenant.counts()).duplicate === 50)
    const counts = await tenant.counts()
    t.is(counts.events, 50)
    t.deepEqual(listDifferences(counts), [])
  },
)

test.serial('many senders at once: rows are equal to counters, and to what was sent', async (t) => {
  const tenant = await makeTenant()
  const batches = Array.from({ length: 40 }, (_, at) =>
    makeTraceSpans(25, (index) => ({ attributes: { 'gen_ai.agent.name': `agent-${(at + index) % 7}` } })),
  )
  const replies = await Promise.all(batches.map(async (spans) => await tenant.post(spans)))
  t.true(replies.every(({ status }) => status === 200))
  const counts = await tenant.counts()
  t.is(counts.events, 1_000)
  t.deepEqual(listDifferences(counts), [])
})

test.serial('version, scope, claims and effects of a tool span are stored and shown', async (t) => {
  const tenant = await makeTenant()
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'tracewright.tool.version': '2.1',
    'tracewright.tool.scope_hash': 'hmac:user',
    'tracewright.tool.attested': true,
    'tracewright.tool.claims': ['unread'],
    'tracewright.tool.read_only': true,
    'tracewright.tool.content_hash': 'hmac:content',
    'tracewright.tool.ciphertext': Buffer.from('sealed'),
    'tracewright.tool.iv': Buffer.alloc(12),
    'tracewright.tool.tag': Buffer.alloc(16),
    'tracewright.tool.key_id': 'key',
  }
  const reply = await tenant.post([makeSpan({ attributes })])
  t.is(reply.status, 200)
  const { json: page } = await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/events`, {
    token: tenant.accessToken,
  })
  const { items } = page as { items: Record<string, unknown>[] }
  const claims = { attested: false, attested_unread: true, read_only: true }
  t.like(items[0], { tool_version: '2.1', scope_hash: 'hmac:user', ...claims })
  const stored = await service.query('select from tool_results where workspace_id = $1', [tenant.workspaceId])
  t.is(stored.length, 1)
})
