// Which tools are proposed because no model uses their results: only those that attest it, by agent and version.
import test from 'ava'
import { type Proposed, proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { agentIdOf, type EventSeed, storeEvents } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { agoText, consume, makeRun } from './_runs.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

/** Without a time limit, so that the result does not depend on the machine. */
const propose = async (workspaceId: string, budgetMs = Number.POSITIVE_INFINITY): Promise<Proposed> =>
  await proposeFor({ db: base.db }, workspaceId, { budgetMs })

type Config = {
  tool_name: string
  tool_version: string | null
  agent_id: string
  input_hash: string | null
  evidence: Record<string, unknown> & { trace_ids: string[] }
}
const listConfigs = (done: Proposed): { type: string; config: Config }[] =>
  done.result === 'held' ? [] : done.proposed.map(({ type, config }) => ({ type, config: config as Config }))

/** Stores these events in a new workspace. Returns its proposals: type, tool and version of each. */
async function proposeOf(seeds: readonly EventSeed[]): Promise<string[]> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, seeds)
  return listConfigs(await propose(workspaceId)).map(({ type, config }) =>
    [type, config.tool_name, ...(config.tool_version === null ? [] : [config.tool_version])].join(' '),
  )
}

const stub = { attested: false, attestedUnread: true, keyId: null, contentHash: null } as const
let made = 0

/** Runs a minute apart, each with another input, whose results were in a prompt. */
const consumed = (count: number, more: Partial<EventSeed> = {}, isRead = false): EventSeed[] =>
  Array.from({ length: count }, (_, nth) => {
    made += 1
    const run = makeRun(100 + nth, { ...stub, inputHash: `input ${made}`, ...more })
    return [run, consume(run, isRead, run.agent === undefined ? {} : { agent: run.agent })]
  }).flat()

const found = ['suppress_dead search']

test('one tool is weighed even if the time is up before', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, [...consumed(20, { tool: 'one' }), ...consumed(20, { tool: 'other' })])
  t.is(listConfigs(await propose(workspaceId, -1)).length, 1)
})

test('a tool with twenty consumed and no read results is proposed, with the evidence', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, consumed(20))
  const [only, ...others] = listConfigs(await propose(workspaceId))
  t.deepEqual(others, [])
  t.like(only, { type: 'suppress_dead' })
  t.like(only?.config, { tool_name: 'search', tool_version: null, input_hash: null })
  t.is(only?.config.agent_id, agentIdOf(workspaceId, 'agent'))
  // A stub could have replaced each of them.
  t.like(only?.config.evidence, { executions: 20, consumed: 20, read: 0, reusable: 20 })
  t.is(only?.config.evidence.trace_ids.length, 5)
  t.deepEqual(await proposeOf(consumed(19)), [])
  const [trail] = await base.query('select reason from decision_transitions where workspace_id = $1', [workspaceId])
  t.is(trail?.['reason'], '20 results of the tool were in prompts, and no model used any of them')
})

test('a profile tool of 50 users that attests the same input alone is never proposed as unread', async (t) => {
  // The leak that this prevents: the result of one user's call would have been given to other users.
  const users = Array.from({ length: 50 }, (_, nth) => `user ${nth}`).flatMap((user) =>
    consumed(3, {
      tool: 'get_profile',
      inputHash: 'hash of no input',
      session: user,
      contentHash: `profile of ${user}`,
      attested: true,
      attestedUnread: false,
      keyId: 'key',
    }),
  )
  const proposed = await proposeOf(users)
  t.deepEqual(
    proposed.filter((one) => one.startsWith('suppress_dead')),
    [],
  )
  const claimed = users.map((one) => (one.kind === 'tool' ? { ...one, attestedUnread: true } : one))
  t.true((await proposeOf(claimed)).includes('suppress_dead get_profile'), 'the claim alone makes the difference')
})

test('one result that was read prevents a proposal, and results that were not consumed do not count', async (t) => {
  t.deepEqual(await proposeOf([...consumed(20), ...consumed(1, {}, true)]), [])
  t.deepEqual(await proposeOf([...consumed(20), makeRun(5, { ...stub, inputHash: 'one more' })]), found)
  t.deepEqual(
    await proposeOf(Array.from({ length: 25 }, (_, nth) => makeRun(nth, { ...stub, inputHash: `${nth}` }))),
    [],
  )
})

test('a result that was read in a later trace of its session counts as read', async (t) => {
  const read = makeRun(90, { ...stub, inputHash: 'one more', session: 'session' })
  const later = consume(read, true, { trace: 'f'.repeat(32), start: agoText(30) })
  t.deepEqual(await proposeOf([...consumed(20), read, later]), [])
  t.deepEqual(await proposeOf([...consumed(20), read, { ...later, session: 'another' }]), found)
})

test('a tool whose results others than the model receive is not proposed', async (t) => {
  const runs = consumed(20)
  t.deepEqual(await proposeOf(runs), found)
  t.deepEqual(await proposeOf(runs.map((one, at) => (at === 0 ? { ...one, read: [one.callId ?? ''] } : one))), [])
})

test('agents and versions are evaluated separately', async (t) => {
  t.deepEqual(await proposeOf([...consumed(10), ...consumed(10, { agent: 'other' })]), [])
  t.deepEqual(await proposeOf([...consumed(10), ...consumed(10, { toolVersion: '2' })]), [])
  t.deepEqual(await proposeOf([...consumed(20), ...consumed(20, { agent: 'other' }, true)]), found)
  t.deepEqual(await proposeOf([...consumed(20, { toolVersion: '2' }), ...consumed(5, {}, true)]), [
    'suppress_dead search 2',
  ])
})

test('a stored result can replace only one of the same scope', async (t) => {
  const reusable = async (scopeOf: (nth: number) => string): Promise<unknown> => {
    const workspaceId = await makeWorkspace(base.query)
    const runs = Array.from({ length: 20 }, (_, nth) => consumed(1, { scopeHash: scopeOf(nth) })).flat()
    await storeEvents(
      base.query,
      workspaceId,
      runs.map((run, at) => ({ ...run, start: agoText(100 - at) })),
    )
    return listConfigs(await propose(workspaceId))[0]?.config.evidence['reusable']
  }
  t.is(await reusable(() => 'one user'), 19)
  t.is(await reusable((nth) => `user ${nth % 10}`), 10)
  // Nothing could be saved.
  t.is(await reusable((nth) => `user ${nth}`), undefined)
})

test('a tool is proposed once while its decision is live, and not within 30 days after it was disabled', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const runAgain = async (): Promise<number> => {
    await storeEvents(base.query, workspaceId, [makeRun(0, stub)])
    return listConfigs(await propose(workspaceId)).length
  }
  await storeEvents(base.query, workspaceId, consumed(20))
  t.is(await runAgain(), 1)
  t.is(await runAgain(), 0)
  const disable = `update decisions set state = 'disabled', disabled_at = now() - $2::interval where workspace_id = $1`
  await base.query(disable, [workspaceId, '29 days 23 hours'])
  t.is(await runAgain(), 0)
  await base.query(disable, [workspaceId, '30 days 1 second'])
  t.is(await runAgain(), 1)
})
