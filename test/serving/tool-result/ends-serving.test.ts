// The events that end serving, over real HTTP, both when the database is read and when the previous answer is in memory.
import test, { type ExecutionContext } from 'ava'
import { countWrites } from '../../../src/base/rules-version.ts'
import { toolResultResponse } from '../../../src/serving/tool-result/routes.ts'
import { startService, type TestService } from '../../_kit/serve.ts'
import { until } from '../../_kit/until.ts'
import { addDecision } from '../../_kit/workspace.ts'
import { fetchCurrentRules } from '../_current-rules.ts'
import { type Execution, makeCalls } from './_calls.ts'
import type { RawAnswer } from './_raw-get.ts'
import { makeCustomer } from './_sealed.ts'

const customer = makeCustomer()
let service: TestService
let calls: ReturnType<typeof makeCalls>

test.before(async () => {
  service = await startService()
  calls = makeCalls(service, customer)
})
test.after.always(async () => await service.stop())

// Answers in memory are looked up again after 5 s, and those for one agent after 1 s; a commit must cause that earlier.
const noticedMs = 4_000

type Rule = Parameters<typeof addDecision>[2]
type Query = Record<string, string>

/** Writes the decision into the table without the service: an invalidation of another tool makes the front read the rules again. */
async function addRule(rule: Rule): Promise<string> {
  const id = await addDecision(service.query, service.workspaceId, { config: { freshness_s: 3_600 }, ...rule })
  await invalidate({ tool_name: 'another' })
  await until(async () => (await service.call('GET', '/v1/apply/rules', { token: service.key })).text.includes(id))
  return id
}

const ago = (ms: number): number => Date.now() - ms
const ofAgent = (name: string) => ({ 'gen_ai.agent.name': name })
const ofVersion = (version: string) => ({ 'tracewright.tool.version': version })

/** Returns the served result, or the status 404. */
const nameOf = (answer: RawAnswer): string => (answer.status === 200 ? calls.readResult(answer) : String(answer.status))

const ask = async (query: Query): Promise<string> => nameOf(await calls.get(query))

/** Returns the served result. A look-up that takes longer than agents wait is a 404 too, and is repeated. */
async function askServed(query: Query): Promise<string> {
  let last = ''
  await until(async () => {
    last = await ask(query)
    return last !== '404'
  })
  return last
}

/** Waits until a notice replaces the previous answer in memory. */
async function becomes(t: ExecutionContext, query: Query, wanted: string): Promise<void> {
  let last = ''
  await calls.untilAnswer(noticedMs, query, (answer) => {
    last = nameOf(answer)
    return last === wanted
  })
  t.is(last, wanted)
}

const agentId = async (name: string): Promise<string> => {
  const [row] = await service.query('select id from agents where workspace_id = $1 and name = $2', [
    service.workspaceId,
    name,
  ])
  return String(row?.['id'])
}

/** Returns the status. A 503 is repeated, which a machine that stalled may cause. */
async function invalidate(body: object): Promise<number> {
  let status = 0
  await until(async () => {
    status = (await service.call('POST', '/v1/apply/invalidate', { token: service.key, body })).status
    return status !== 503
  })
  return status
}

const countInvalidations = async (): Promise<number> => (await service.query('select from invalidations')).length

const errors: readonly (readonly [name: string, more: Execution])[] = [
  ['failed', { status: { code: 2 } }],
  ['was not attested', { attributes: { 'tracewright.tool.attested': false } }],
  ['has no stored result', { attributes: { 'tracewright.tool.iv': Buffer.alloc(5) } }],
]

for (const [name, more] of errors) {
  test.serial(`if the newest execution ${name}, nothing is served until a success follows`, async (t) => {
    const input = `sha256:${name.replaceAll(' ', '-')}`
    const query = { decision_id: await addRule({ inputHash: input }), input_hash: input }
    await calls.execute('before', { start: ago(60_000) }, input)
    await becomes(t, query, 'before')
    await calls.execute('refused', { start: ago(30_000), ...more }, input)
    await becomes(t, query, '404')
    await calls.execute('older', { start: ago(40_000) }, input)
    t.is(await ask(query), '404')
    await calls.execute('after', { start: ago(10_000) }, input)
    await becomes(t, query, 'after')
  })
}

test.serial('the newest of overlapping executions is the one that ended last', async (t) => {
  const input = 'sha256:overlap'
  const query = { decision_id: await addRule({ inputHash: input }), input_hash: input }
  await calls.execute('long', { start: ago(60_000), durationMs: 40_000 }, input)
  await calls.execute('short', { start: ago(50_000), durationMs: 1_000 }, input)
  await becomes(t, query, 'long')
  await calls.execute('timed out', { start: ago(59_000), durationMs: 50_000, status: { code: 2 } }, input)
  await becomes(t, query, '404')
})

test.serial('a rule of one agent serves the executions of that agent alone, and their errors end it', async (t) => {
  const input = 'sha256:agents'
  await calls.execute('of the coder', { start: ago(60_000), attributes: ofAgent('coder') }, input)
  await calls.execute('of the critic', { start: ago(50_000), attributes: ofAgent('critic') }, input)
  const coder = { decision_id: await addRule({ inputs: [input], agentId: await agentId('coder') }), input_hash: input }
  const critic = {
    decision_id: await addRule({ inputHash: input, agentId: await agentId('critic') }),
    input_hash: input,
  }
  await becomes(t, coder, 'of the coder')
  await becomes(t, critic, 'of the critic')
  await calls.execute('refused', { status: { code: 2 }, attributes: ofAgent('critic') }, input)
  await becomes(t, critic, '404')
  t.is(await askServed(coder), 'of the coder')
})

test.serial('a rule serves the results of its own version, and one of no version those of no version', async (t) => {
  const input = 'sha256:versions'
  await calls.execute(
    'of the first',
    { start: ago(60_000), attributes: { ...ofAgent('writer'), ...ofVersion('1') } },
    input,
  )
  await calls.execute(
    'of the second',
    { start: ago(50_000), attributes: { ...ofAgent('writer'), ...ofVersion('2') } },
    input,
  )
  // One live decision for each subject, whatever the version: this one is limited to one agent.
  const id = await addRule({ inputs: [input], toolVersion: '1', agentId: await agentId('writer') })
  const first = { decision_id: id, input_hash: input }
  const none = { decision_id: await addRule({ inputHash: input }), input_hash: input }
  await becomes(t, first, 'of the first')
  t.is(await ask(none), '404')
  await calls.execute('of none', { start: ago(40_000) }, input)
  await becomes(t, none, 'of none')
  t.is(await askServed(first), 'of the first')
})

test.serial('only the inputs that a rule lists are served', async (t) => {
  const id = await addRule({ inputs: ['sha256:listed', `sha256:${'ab'.repeat(32)}`] })
  for (const input of ['sha256:listed', `sha256:${'ab'.repeat(32)}`, `sha256:${'ab'.repeat(31)}cd`, 'sha256:other'])
    await calls.execute(input, {}, input)
  await becomes(t, { decision_id: id, input_hash: 'sha256:listed' }, 'sha256:listed')
  await becomes(t, { decision_id: id, input_hash: `sha256:${'ab'.repeat(32)}` }, `sha256:${'ab'.repeat(32)}`)
  // The same first 8 bytes: the complete hash is compared.
  t.is(await ask({ decision_id: id, input_hash: `sha256:${'ab'.repeat(31)}cd` }), '404')
  t.is(await ask({ decision_id: id, input_hash: 'sha256:other' }), '404')
})

test.serial(
  'a result expires by the end of its execution, also of a tool that is slower than its freshness',
  async (t) => {
    const input = 'sha256:slow'
    const id = await addRule({ inputHash: input, config: { freshness_s: 60 } })
    const query = { decision_id: id, input_hash: input }
    const endMs = ago(30_000)
    await calls.execute('slow', { start: endMs - 600_000, durationMs: 600_000 }, input)
    await becomes(t, query, 'slow')
    let answer = await calls.get(query)
    await until(async () => {
      if (answer.status !== 200) answer = await calls.get(query)
      return answer.status === 200
    })
    const body = toolResultResponse.parse(JSON.parse(answer.text))
    t.deepEqual([Date.parse(body.cached_at), Date.parse(body.expires_at)], [endMs, endMs + 60_000])
    const stale = 'sha256:stale'
    const late = { decision_id: await addRule({ inputHash: stale, config: { freshness_s: 60 } }), input_hash: stale }
    await calls.execute('stale', { start: ago(661_000), durationMs: 600_000 }, stale)
    t.is(await ask(late), '404')
  },
)

test.serial('suppress_dead serves the newest stored result of one scope, and none without a scope', async (t) => {
  const unread = (scope: string | null, claims = ['unread']) => ({
    'tracewright.tool.claims': claims,
    ...(scope === null ? {} : { 'tracewright.tool.scope_hash': scope }),
  })
  const id = await addRule({ type: 'suppress_dead', inputHash: null })
  const query = { decision_id: id, scope_hash: 'user-1' }
  await calls.execute('of user 1', { start: ago(60_000), attributes: unread('user-1') }, 'sha256:dead-1')
  await becomes(t, query, 'of user 1')
  await calls.execute('of user 2', { start: ago(50_000), attributes: unread('user-2') }, 'sha256:dead-1')
  await calls.execute('of nobody', { start: ago(50_000), attributes: unread(null) }, 'sha256:dead-1')
  await calls.execute('read', { start: ago(50_000), attributes: unread('user-1', ['same_input']) }, 'sha256:dead-1')
  await calls.execute('not stored', {
    start: ago(45_000),
    attributes: { ...unread('user-1'), 'tracewright.tool.iv': '' },
  })
  t.is(await askServed({ ...query, scope_hash: 'user-2' }), 'of user 2')
  t.is(await askServed(query), 'of user 1')
  t.is(await ask({ decision_id: id }), '404')
  t.is(await ask({ decision_id: id, input_hash: 'sha256:dead-1' }), '404')
  await calls.execute('newer', { start: ago(40_000), attributes: unread('user-1') }, 'sha256:dead-2')
  await becomes(t, query, 'newer')
  await calls.execute(
    'refused',
    { start: ago(30_000), status: { code: 2 }, attributes: unread('user-1') },
    'sha256:dead-2',
  )
  await becomes(t, query, '404')
  t.is(await invalidate({ tool_name: 'search', input_hash: 'sha256:dead-1' }), 204)
  t.is(await ask({ ...query, scope_hash: 'user-2' }), '404')
})

test.serial('invalidated results are not served from the next request on', async (t) => {
  const input = 'sha256:invalidated'
  const more = { attributes: { ...ofAgent('planner'), ...ofVersion('3') } }
  await calls.execute('the first', { start: ago(60_000), ...more }, input)
  const planner = await agentId('planner')
  const query = {
    decision_id: await addRule({ inputs: [input], toolVersion: '3', agentId: planner }),
    input_hash: input,
  }
  await becomes(t, query, 'the first')
  const others = [
    { tool_name: 'fetch' },
    { tool_name: 'search', input_hash: 'sha256:another' },
    { tool_name: 'search', agent_name: 'coder' },
    { tool_name: 'search', version: '1' },
    { tool_name: 'search', version: '3', agent_name: 'planner', input_hash: 'sha256:another' },
  ]
  const before = await countInvalidations()
  for (const body of others) t.is(await invalidate(body), 204)
  await becomes(t, query, 'the first')
  const same = [
    { tool_name: 'search' },
    { tool_name: 'search', input_hash: input },
    { tool_name: 'search', agent_name: 'planner' },
    { tool_name: 'search', version: '3' },
    { tool_name: 'search', version: '3', agent_name: 'planner', input_hash: input },
    // Once more: it replaces the previous one.
    { tool_name: 'search', input_hash: input, version: null, agent_name: null },
  ]
  for (const [nth, body] of same.entries()) {
    t.is(await invalidate(body), 204)
    t.is(await ask(query), '404', JSON.stringify(body))
    // The rule leaves out an input for two minutes after the input alone was invalidated.
    await service.query(`update invalidations set at = at - interval '2 minutes' where tool_name = 'search'`)
    await invalidate({ tool_name: 'another' })
    await calls.execute(`after ${nth}`, { start: Date.now(), durationMs: 0, ...more }, input)
    await becomes(t, query, `after ${nth}`)
  }
  t.is(await countInvalidations(), before + others.length + same.length - 1)
})

test.serial('an invalidation changes the rules; of all that a rule is about, the rule says so', async (t) => {
  const readRule = async (id: string) => {
    const { version, rules } = (await fetchCurrentRules(service, service.key)).json as {
      version: string
      rules: { decision_id: string; executed_after: string | null }[]
    }
    return { count: countWrites(version), after: rules.find((rule) => rule.decision_id === id)?.executed_after }
  }
  const id = await addRule({ inputHash: 'sha256:told', toolVersion: '4' })
  const before = await readRule(id)
  const startMs = Date.now()
  t.is(await invalidate({ tool_name: 'search', input_hash: 'sha256:another', version: '4' }), 204)
  const partly = await readRule(id)
  t.true(partly.count > before.count)
  t.is(partly.after, before.after)
  t.is(await invalidate({ tool_name: 'search', input_hash: 'sha256:told', version: '4' }), 204)
  const { count, after } = await readRule(id)
  t.true(count > partly.count)
  t.true(Date.parse(String(after)) >= startMs - 1)
})

test.serial('a malformed invalidation is 422 and changes nothing, and one without a key is 401', async (t) => {
  const faults: readonly (readonly [body: object, loc: string, type: string])[] = [
    [{}, 'tool_name', 'missing'],
    [{ tool_name: '' }, 'tool_name', 'string_too_short'],
    [{ tool_name: 'x'.repeat(257) }, 'tool_name', 'string_too_long'],
    [{ tool_name: 'a\0b' }, 'tool_name', 'string_unicode'],
    [{ tool_name: 7 }, 'tool_name', 'string_type'],
    [{ tool_name: 'search', agent_name: '' }, 'agent_name', 'string_too_short'],
    [{ tool_name: 'search', version: 'v'.repeat(129) }, 'version', 'string_too_long'],
    [{ tool_name: 'search', input_hash: 'a b' }, 'input_hash', 'string_pattern_mismatch'],
  ]
  const before = await countInvalidations()
  for (const [body, field, type] of faults) {
    const { status, json } = await service.call('POST', '/v1/apply/invalidate', { token: service.key, body })
    t.is(status, 422, JSON.stringify(body))
    t.like((json as { detail: unknown[] }).detail[0], { loc: ['body', field], type })
  }
  t.is(await countInvalidations(), before)
  const body = { tool_name: 'search' }
  for (const token of ['x', service.accessToken])
    t.is((await service.call('POST', '/v1/apply/invalidate', { token, body })).status, 401)
})
