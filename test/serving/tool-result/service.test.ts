// Stored results over real HTTP, from the span that contains them to the answer.
import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import pg from 'pg'
import { toolResultResponse } from '../../../src/serving/tool-result/routes.ts'
import { startService, type TestService } from '../../_kit/serve.ts'
import { encodeRequest, makeSpan } from '../../_kit/spans.ts'
import { untilWithin } from '../../_kit/standstill.ts'
import { until, untilFound } from '../../_kit/until.ts'
import { addDecision } from '../../_kit/workspace.ts'
import { post } from '../../ingest/_http.ts'
import { fetchRules } from '../_current-rules.ts'
import { makeCalls } from './_calls.ts'
import { rawGet } from './_raw-get.ts'
import { makeCustomer, seal } from './_sealed.ts'

const customer = makeCustomer()
let service: TestService
let get: ReturnType<typeof makeCalls>['get']
let execute: ReturnType<typeof makeCalls>['execute']
let readResult: ReturnType<typeof makeCalls>['readResult']
let untilAnswer: ReturnType<typeof makeCalls>['untilAnswer']
let decisionId: string

test.before(async () => {
  service = await startService()
  ;({ get, execute, readResult, untilAnswer } = makeCalls(service, customer))
  decisionId = await addDecision(service.query, service.workspaceId, {
    inputHash: 'sha256:one',
    config: { freshness_s: 3_600 },
  })
})
test.after.always(async () => await service.stop())

/** Returns the answer with a result. A look-up that takes longer than agents wait is a 404, and is repeated. */
const getServed = async (query: Record<string, string>, token?: string): Promise<Awaited<ReturnType<typeof get>>> =>
  await untilFound(async () => {
    const answer = await get(query, token)
    return answer.status === 404 ? null : answer
  })

/** Activates as a user, so that the front is notified at once. */
async function activate(id: string): Promise<void> {
  const path = `/v1/workspaces/${service.workspaceId}/decisions/${id}/transitions`
  const { status, text } = await service.call('POST', path, { body: { to: 'active' } })
  if (status !== 200) throw new Error(text)
}

// Answers in memory are looked up again after 5 s; a commit must cause that earlier.
const noticedMs = 4_000

test.serial(
  'a result is served from the next request after its span was stored, and can be opened by its owner',
  async (t) => {
    const query = { decision_id: decisionId, input_hash: 'sha256:one' }
    t.is((await get(query)).status, 404)
    const startMs = Date.now() - 30_000
    await execute('the first', { start: startMs, durationMs: 1_234 })
    await untilAnswer(noticedMs, query, ({ status }) => status === 200)
    const first = await getServed(query)
    t.is(readResult(first), 'the first')
    const body = toolResultResponse.parse(JSON.parse(first.text))
    t.deepEqual(Object.keys(body).sort(), [
      'cached_at',
      'ciphertext_b64',
      'content_hash',
      'decision_id',
      'expires_at',
      'iv_b64',
      'key_id',
      'tag_b64',
    ])
    t.is(body.decision_id, decisionId)
    t.is(body.key_id, customer.keyId)
    t.is(Date.parse(body.cached_at), startMs + 1_234)
    t.is(Date.parse(body.expires_at), startMs + 1_234 + 3_600_000)

    await execute('the second', { start: Date.now() - 10_000 })
    await untilWithin(noticedMs, async () => readResult(await getServed(query)) === 'the second')
    // Older, served, of another version and of another input: none of them is a newer result.
    await execute('older', { start: Date.now() - 20_000 })
    await execute('served', { attributes: { 'tracewright.tool.served': true } })
    await execute('of another version', { attributes: { 'tracewright.tool.version': '2' } })
    await execute('of another input', {}, 'sha256:two')
    t.is(readResult(await getServed(query)), 'the second')
  },
)

test.serial('a result of a clock that is ahead is not kept: it would outlive an invalidation', async (t) => {
  const keptOf = async (input: string) =>
    await service.query(
      `select e.attested, 'clock_ahead' = any(e.flags) as is_ahead, (r.span_id is not null) as has_result
       from events e left join tool_results r using (workspace_id, start_time, trace_id, span_id) where e.input_hash = $1`,
      [input],
    )
  await execute('in time', { start: Date.now() - 1_000 }, 'sha256:in-time')
  t.deepEqual(await keptOf('sha256:in-time'), [{ attested: true, is_ahead: false, has_result: true }])
  await execute('ahead', { start: Date.now() + 300_000 }, 'sha256:ahead')
  t.deepEqual(await keptOf('sha256:ahead'), [{ attested: false, is_ahead: true, has_result: false }])
})

test.serial('memory answers with the same bytes as the route, without a query', async (t) => {
  const query = { decision_id: decisionId, input_hash: 'sha256:one' }
  const readMetrics = async (): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  // Whatever their outcome: a slow look-up is answered 404, and its result is then in memory.
  const countFrom = (text: string, from: string): number =>
    text
      .matchAll(new RegExp(`tool_results_total\\{outcome="\\w+",from="${from}"\\} (\\d+)`, 'g'))
      .reduce((sum, [, count]) => sum + Number(count), 0)
  const askInMemory = async () => {
    const warm = await getServed(query)
    const before = await readMetrics()
    const answers: string[] = []
    for (let nth = 0; nth < 5; nth += 1) answers.push((await get(query)).whole)
    return { warm, before, answers, after: await readMetrics() }
  }
  let asked = await askInMemory()
  // An answer in memory is looked up again after 5 s.
  await until(async () => {
    if (countFrom(asked.after, 'look') === countFrom(asked.before, 'look')) return true
    asked = await askInMemory()
    return false
  })
  const { warm, before, answers, after } = asked
  t.deepEqual(new Set(answers), new Set([warm.whole]))
  t.is(countFrom(after, 'memory'), countFrom(before, 'memory') + 5)
  // A commit of the same subject without a newer result makes memory forget the answer: the route answers once.
  await execute('older still', { start: Date.now() - 25_000 })
  await until(async () => (await get(query)).whole === warm.whole)
  t.true(countFrom(await readMetrics(), 'look') > countFrom(after, 'look'))
})

test.serial('every refusal is the same 404, from memory and from the route', async (t) => {
  const stranger = await service.addWorkspace()
  const add = async (options: Parameters<typeof addDecision>[2]): Promise<string> =>
    await addDecision(service.query, service.workspaceId, options)
  const config = { freshness_s: 60 }
  const bare = { input_hash: 'x' }
  const refused: [string, Record<string, string>][] = [
    ['unknown rule', { decision_id: crypto.randomUUID(), input_hash: 'sha256:one' }],
    ['another workspace’s rule', { decision_id: await addDecision(service.query, stranger.workspaceId, {}), ...bare }],
    ['a rule that is not active', { decision_id: await add({ state: 'shadow', inputHash: 'y' }), ...bare }],
    ['no rule about results', { decision_id: await add({ type: 'shorten_prompt', inputHash: 'x' }), ...bare }],
    ['wrong input', { decision_id: decisionId, input_hash: 'sha256:two' }],
    ['empty input', { decision_id: decisionId, input_hash: '' }],
    ['no input', { decision_id: decisionId }],
    ['an input that no database can hold', { decision_id: decisionId, input_hash: 'a\0b' }],
    ['nothing stored', { decision_id: await add({ inputHash: 'nothing' }), input_hash: 'nothing' }],
    ['stale', { decision_id: await add({ inputHash: 'stale', config }), input_hash: 'stale' }],
    ['an error', { decision_id: await add({ inputHash: 'error' }), input_hash: 'error' }],
    ['not attested', { decision_id: await add({ inputHash: 'plain' }), input_hash: 'plain' }],
    ['no triple', { decision_id: await add({ inputHash: 'torn' }), input_hash: 'torn' }],
    [
      'another agent',
      { decision_id: await add({ inputHash: 'sha256:two', agentId: crypto.randomUUID() }), input_hash: 'sha256:two' },
    ],
  ]
  await execute('stale', { start: Date.now() - 120_000 }, 'stale')
  await execute('an error', { status: { code: 2 } }, 'error')
  await execute('not attested', { attributes: { 'tracewright.tool.attested': false } }, 'plain')
  await execute('no triple', { attributes: { 'tracewright.tool.iv': Buffer.alloc(5) } }, 'torn')
  // The front must see the new rules first; the notice is for the last one.
  const last = await add({ inputHash: 'sha256:two', state: 'shadow' })
  await activate(last)
  await until(async () => (await get({ decision_id: last, input_hash: 'sha256:two' })).status === 200)
  const { whole, text } = await get({ decision_id: crypto.randomUUID() })
  t.is(text, '{"detail":"Not found"}')
  t.true(whole.includes('"Cache-Control","no-store"'))
  for (const [name, query] of refused) {
    // The route first, for results that memory cannot know yet; then memory.
    for (const way of ['first', 'again']) t.is((await get(query)).whole, whole, `${name}, ${way}`)
  }
  const nowhere = await rawGet(`${service.baseUrl}/v1/apply/nothing`, service.key)
  t.is(nowhere.text, text)
})

test.serial('only a malformed id and an overlong input are 422, and no key is 401', async (t) => {
  const longest = 'h'.repeat(128)
  for (const query of [
    {},
    { input_hash: 'x' },
    { decision_id: 'x' },
    { decision_id: '' },
    { decision_id: `${decisionId}0` },
    { decision_id: decisionId, input_hash: `${longest}h` },
  ]) {
    const answer = await get(query)
    t.is(answer.status, 422, JSON.stringify(query))
    t.true(answer.whole.includes('"Cache-Control","no-store"'))
  }
  t.is((await get({ decision_id: decisionId, input_hash: longest })).status, 404)
  t.is((await getServed({ decision_id: decisionId.toUpperCase(), input_hash: 'sha256:one' })).status, 200)
  for (const token of [null, 'x', `${service.key}x`, service.accessToken]) {
    t.is((await get({ decision_id: decisionId, input_hash: 'sha256:one' }, token)).status, 401)
    t.is((await get({ decision_id: 'x' }, token)).status, 401)
  }
})

test.serial('a dump of the database does not contain the plaintext of a stored result', async (t) => {
  const canary = `canary ${randomBytes(24).toString('hex')}`
  await execute(canary, {}, 'sha256:canary')
  const id = await addDecision(service.query, service.workspaceId, { inputHash: 'sha256:canary', state: 'shadow' })
  await activate(id)
  const query = { decision_id: id, input_hash: 'sha256:canary' }
  const answer = await getServed(query)
  t.is(readResult(answer), canary)
  await service.settled()

  const dump = await dumpAll(service.databaseUrl)
  const forms = (bytes: Buffer): string[] => [
    bytes.toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
  ]
  for (const form of forms(Buffer.from(canary))) t.false(dump.includes(form), form)
  // The control: the search finds stored data, namely the ciphertext and the plain text of spans.
  const { ciphertext_b64: ciphertext } = toolResultResponse.parse(JSON.parse(answer.text))
  t.true(dump.includes(Buffer.from(ciphertext, 'base64').toString('hex')))
  t.true(dump.includes('sha256:canary'))
  t.true(dump.includes('execute_tool'))
})

/** Returns every row of every table as text, bytes in hex, and payload blocks also in unpacked form. */
async function dumpAll(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const parts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      parts.push(...rows.map(({ text }) => text))
    }
    const { rows: blocks } = await client.query<{ body: Buffer }>('select body from payload_blocks')
    parts.push(...blocks.map(({ body }) => zstdDecompressSync(body).toString('utf8')))
    return parts.join('\n')
  } finally {
    await client.end()
  }
}

test.serial('a rule that a user disables serves nothing within a second, and the list of rules lacks it', async (t) => {
  const query = { decision_id: decisionId, input_hash: 'sha256:one' }
  await until(async () => (await get(query)).status === 200)
  const path = `/v1/workspaces/${service.workspaceId}/decisions/${decisionId}/transitions`
  const moved = await service.call('POST', path, { body: { to: 'disabled' } })
  t.true(moved.status < 300, moved.text)
  await untilWithin(1_000, async () => {
    const rules = await fetchRules(service, service.key)
    if (rules === null) return 'unread'
    return !rules.text.includes(decisionId) && (await get(query)).status === 404
  })
})

test.serial('a deleted workspace serves nothing', async (t) => {
  const body = { name: 'short-lived', org_id: service.orgId }
  const { id } = (await service.call('POST', '/v1/workspaces', { body })).json as { id: string }
  const minted = await service.call('POST', '/v1/keys', { body: { workspace_id: id, name: 'key' } })
  const { api_key: key } = minted.json as { api_key: string }
  const decision = await addDecision(service.query, id, { inputHash: 'gone' })
  const query = { decision_id: decision, input_hash: 'gone' }
  const spans = [makeSpan({ attributes: seal(customer, 'search', 'gone', 'result') })]
  t.is((await post({ baseUrl: service.baseUrl, key }, encodeRequest(spans))).status, 200)
  t.is((await getServed(query, key)).status, 200)
  await service.call('DELETE', `/v1/workspaces/${id}`)
  let { status } = await get(query, key)
  // The key is no longer in memory: while the database does not answer, it is neither known nor unknown.
  await until(async () => {
    if (status === 503) ({ status } = await get(query, key))
    return status !== 503
  })
  t.is(status, 401)
})
