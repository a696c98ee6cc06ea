import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { Subject } from '../../../src/decisions/trials/phase.ts'
import { openEndUs } from '../../../src/decisions/trials/phase.ts'
import { type JudgedExecution, readExecutions } from '../../../src/decisions/trials/read-executions.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { agentIdOf, storeEvents } from '../../_kit/events.ts'
import { makeRandom } from '../../_kit/random.ts'
import { type History, historyFromMs, makeHistory, readBruteForce } from './_history.ts'

let db: TestDatabase
test.before(async () => {
  db = await makeDatabase()
})
test.after.always(async () => await db.stop())

const dayMs = 86_400_000

async function store(workspaceId: string, { seeds, unsettled }: History): Promise<void> {
  await storeEvents(db.query, workspaceId, seeds)
  await db.query('update traces set settled = false where workspace_id = $1 and trace_id = any ($2)', [
    workspaceId,
    [...unsettled].map((id) => Buffer.from(id, 'hex')),
  ])
}

const subjectsOf = (workspaceId: string): Subject[] => {
  const base = { workspaceId, toolName: 'search', agentId: null, inputHash: null }
  return [30, 600, 86_400].flatMap((freshnessS) => [
    { ...base, type: 'reuse_identity', inputHash: 'a', freshnessS },
    { ...base, type: 'reuse_identity', inputHash: 'b', agentId: agentIdOf(workspaceId, 'coder'), freshnessS },
    { ...base, type: 'suppress_dead', freshnessS },
    { ...base, type: 'suppress_dead', agentId: agentIdOf(workspaceId, 'writer'), freshnessS },
  ])
}

test('over random histories the query judges as a plain reading of the rules does', async (t) => {
  const reasons = new Map<string, number>()
  for (let seed = 1; seed <= 24; seed += 1) {
    const workspaceId = randomUUID()
    const lengthMs = seed % 3 === 0 ? 3 * dayMs : seed % 3 === 1 ? 300_000 : 7_200_000
    const history = makeHistory(makeRandom(seed), 120, lengthMs)
    await store(workspaceId, history)
    const beganUs = (historyFromMs + lengthMs * 0.2) * 1_000
    const endedUs = seed % 2 === 0 ? openEndUs : (historyFromMs + lengthMs * 0.9) * 1_000
    for (const subject of subjectsOf(workspaceId)) {
      const expected = readBruteForce(history, subject, beganUs, endedUs)
      const found = await readExecutions(db.db, subject, { beganUs, endedUs, after: null })
      t.deepEqual(found, expected, `${seed} ${JSON.stringify(subject)}`)
      for (const { matched, excludedReason } of found) {
        const key = `${subject.type} ${excludedReason ?? matched}`
        reasons.set(key, (reasons.get(key) ?? 0) + 1)
      }
    }
  }
  t.deepEqual([...reasons.keys()].sort(), [
    'reuse_identity false',
    'reuse_identity no_candidate',
    'reuse_identity no_content_hash',
    'reuse_identity true',
    'suppress_dead false',
    'suppress_dead no_candidate',
    'suppress_dead not_consumed',
    'suppress_dead pending',
    'suppress_dead true',
  ])
})

test('however a read is cut into looks, it gives the same', async (t) => {
  for (let seed = 101; seed <= 104; seed += 1) {
    const workspaceId = randomUUID()
    await store(workspaceId, makeHistory(makeRandom(seed), 150, 1_800_000))
    for (const subject of subjectsOf(workspaceId)) {
      const stretch = { beganUs: historyFromMs * 1_000, endedUs: openEndUs }
      const whole = await readExecutions(db.db, subject, { ...stretch, after: null })
      const cut: JudgedExecution[] = []
      for (;;) {
        const look = await readExecutions(db.db, subject, { ...stretch, after: cut.at(-1) ?? null }, 7)
        cut.push(...look)
        if (look.length < 7) break
      }
      t.deepEqual(cut, whole)
    }
  }
})

test('what is stored late is judged as if it had come in time', async (t) => {
  const workspaceId = randomUUID()
  const history = makeHistory(makeRandom(7), 160, 1_800_000)
  const shuffled = [...history.seeds].sort((x, y) => (x.span.slice(-1) < y.span.slice(-1) ? -1 : 1))
  const subjects = subjectsOf(workspaceId)
  const stretch = { beganUs: historyFromMs * 1_000, endedUs: openEndUs, after: null }
  for (let from = 0; from < shuffled.length; from += 20) {
    await storeEvents(db.query, workspaceId, shuffled.slice(from, from + 20))
    for (const subject of subjects) await readExecutions(db.db, subject, stretch)
  }
  for (const subject of subjects) {
    const expected = readBruteForce({ ...history, unsettled: new Set() }, subject, stretch.beganUs, stretch.endedUs)
    t.deepEqual(await readExecutions(db.db, subject, stretch), expected)
  }
})

test('another workspace and a type that is not known tell nothing', async (t) => {
  const workspaceId = randomUUID()
  await store(workspaceId, makeHistory(makeRandom(9), 50, 600_000))
  const [subject] = subjectsOf(workspaceId)
  const stretch = { beganUs: historyFromMs * 1_000, endedUs: openEndUs, after: null }
  if (subject === undefined) throw new Error('no subject')
  t.true((await readExecutions(db.db, subject, stretch)).length > 0)
  t.deepEqual(await readExecutions(db.db, { ...subject, workspaceId: randomUUID() }, stretch), [])
  t.deepEqual(await readExecutions(db.db, { ...subject, type: 'other' }, stretch), [])
})
