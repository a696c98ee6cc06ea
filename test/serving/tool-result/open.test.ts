import test from 'ava'
import { Outage } from '../../../src/base/fault.ts'
import type { HeldRules } from '../../../src/serving/rules-cache.ts'
import { refusal, type ToolResultAnswer } from '../../../src/serving/tool-result/answer.ts'
import type { Question } from '../../../src/serving/tool-result/match.ts'
import { openToolResults, type ToolResultsDeps } from '../../../src/serving/tool-result/open.ts'
import { until } from '../../_kit/until.ts'
import { serveRules } from './_rules.ts'

const startMs = Date.parse('2026-03-01T12:00:00Z')
const row = {
  ahead_end_us: null,
  start_us: (startMs - 1_000) * 1_000,
  duration_us: 5,
  content_hash: 'content',
  key_id: 'key',
  ciphertext: Buffer.from('c'),
  iv: Buffer.alloc(12),
  tag: Buffer.alloc(16),
}
const question: Question = { decisionId: 'one', inputHash: 'i', scopeHash: null }
const otherQuestion = { ...question, decisionId: 'two', inputHash: 'j' }

/** Opens the route over a database of one row, which can be away, fail or not answer. */
async function open(overrides: Partial<ToolResultsDeps> = {}) {
  const rules = await serveRules(1, [
    { id: 'one', input: 'i', freshnessS: 3_600 },
    { id: 'two', input: 'j' },
  ])
  const state = {
    held: { rules, ageS: 0 } as HeldRules | null,
    /** Whether the rules are known to be current. */
    isFresh: true,
    database: 'up' as 'up' | 'away' | 'silent' | 'broken',
    queries: 0,
    steadyMs: 0,
    fail: null as ((error: Error) => void) | null,
  }
  const told: string[] = []
  const errors: unknown[] = []
  const results = openToolResults({
    db: {
      row: async <Row extends object>() => {
        state.queries += 1
        if (state.database === 'away') throw new Outage('failure', 'away')
        if (state.database === 'broken') throw new Error('a bug')
        if (state.database === 'silent') return await new Promise<Row>((_done, fail) => (state.fail = fail))
        return row as unknown as Row
      },
    },
    rules: {
      peek: () => (state.isFresh ? (state.held?.rules ?? null) : null),
      read: () => Promise.resolve(state.held),
    },
    onAnswer: (outcome, from) => void told.push(`${outcome} by ${from}`),
    onError: (error) => void errors.push(error),
    nowMs: () => startMs + state.steadyMs,
    steadyMs: () => state.steadyMs,
    ...overrides,
  })
  const ask = async (asked = question): Promise<ToolResultAnswer | null> =>
    results.peek('w', asked) ?? (await results.read('w', asked))
  return { results, state, told, errors, ask }
}

test('each question is counted once, with its reason', async (t) => {
  const { ask, told } = await open()
  for (const asked of [question, question, { ...question, inputHash: null }, { ...question, decisionId: 'x' }])
    await ask(asked)
  t.deepEqual(told, ['served by look', 'served by memory', 'wrong_input by memory', 'unknown_rule by memory'])
})

test('while the database is unavailable, valid answers in memory are served, and other requests are refused', async (t) => {
  const { ask, state, told } = await open()
  t.is((await ask())?.status, 200)
  state.database = 'away'
  t.is(await ask(otherQuestion), refusal)
  // Rules from memory may be old.
  state.isFresh = false
  state.steadyMs = 4_999
  t.is((await ask())?.status, 200)
  state.steadyMs = 5_000
  t.is(await ask(), refusal)
  t.deepEqual(told, ['served by look', 'unknown by look', 'served by memory', 'unknown by look'])
  state.database = 'up'
  state.steadyMs = 6_000
  t.is((await ask())?.status, 200)
})

test('after an outage the database is not queried for a second', async (t) => {
  const { ask, state } = await open()
  state.database = 'away'
  await ask()
  for (let nth = 0; nth < 10; nth += 1) t.is(await ask(), refusal)
  t.is(state.queries, 1)
  state.steadyMs = 1_000
  await ask()
  t.is(state.queries, 2)
})

test('if the rules cannot be read, the answer is the refusal', async (t) => {
  const { results, told } = await open({
    rules: { peek: () => null, read: () => Promise.reject(new Outage('failure', 'away')) },
  })
  t.is(await results.read('w', question), refusal)
  t.deepEqual(told, ['unknown by look'])
})

test('a deleted workspace has no answer', async (t) => {
  const { results, state, told } = await open()
  state.held = null
  t.is(results.peek('w', question), null)
  t.is(await results.read('w', question), null)
  t.deepEqual(told, [])
})

test('a removed rule serves nothing, whatever is in memory', async (t) => {
  const { ask, state } = await open()
  t.is((await ask())?.status, 200)
  state.held = { rules: await serveRules(2, [{ id: 'two', input: 'j' }]), ageS: 0 }
  t.is(await ask(), refusal)
})

test('callers wait no longer than the deadline, and a later failure is reported', async (t) => {
  const { ask, state, told, errors } = await open({ maxLookupMs: 20 })
  state.database = 'silent'
  t.is(await ask(), refusal)
  t.deepEqual(told, ['unknown by look'])
  const bug = new Error('a bug')
  state.fail?.(bug)
  await new Promise((turn) => setImmediate(turn))
  t.deepEqual(errors, [bug])
  t.is(told.length, 1)
})

test('slow lookups of one workspace do not hold up those of another', async (t) => {
  const inputs = Array.from({ length: 20 }, (_, at) => `i${at}`)
  const [ofBusy, ofCalm] = [
    await serveRules(1, [{ id: 'one', inputs }]),
    await serveRules(1, [{ id: 'one', input: 'i' }]),
  ]
  const ended = Promise.withResolvers<null>()
  let slow = 0
  const db = {
    row: async <Row extends object>(_statement: string, values?: readonly unknown[]) => {
      if (values?.[0] !== 'busy') return row as unknown as Row
      slow += 1
      await ended.promise
      throw new Outage('failure', 'the database is away')
    },
  }
  const { results } = await open({
    db,
    rules: {
      peek: () => null,
      read: (workspaceId) => Promise.resolve({ rules: workspaceId === 'busy' ? ofBusy : ofCalm, ageS: 0 }),
    },
    maxLookupMs: 60_000,
  })
  const busy = inputs.map(async (inputHash) => await results.read('busy', { ...question, inputHash }))
  await until(() => slow > 0)
  t.is((await results.read('calm', question))?.status, 200)
  t.is(slow, 3)
  t.is(results.waiting(), inputs.length - 3)
  ended.resolve(null)
  t.deepEqual(new Set(await Promise.all(busy)), new Set([refusal]))
})

test('a bug is not reported as a refusal', async (t) => {
  const { ask, state } = await open()
  state.database = 'broken'
  await t.throwsAsync(ask, { message: 'a bug' })
})
