// The clock that expiry follows: that of PostgreSQL, however wrong the clock of the machine is.
import { mock } from 'node:test'
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { openDatabaseClock } from '../../src/store/database-clock.ts'
import { makeDatabase } from '../_kit/db.ts'

const startMs = Date.UTC(2026, 2, 1)
const hourMs = 3_600_000

/** A machine and a database with clocks of their own. */
async function open(t: { teardown: (end: () => void) => void }, machineAheadMs: number) {
  const state = { steadyMs: 0, machineAheadMs, answerMs: 0, isAway: false, hangs: false, asked: 0 }
  const told: [number, boolean][] = []
  const errors: unknown[] = []
  const clock = await openDatabaseClock({
    db: {
      row: async <Row extends object>() => {
        state.asked += 1
        if (state.hangs) await new Promise(() => undefined)
        if (state.isAway) throw new Outage('failure', 'away')
        state.steadyMs += state.answerMs
        return { now: new Date(startMs + state.steadyMs - state.answerMs / 2) } as unknown as Row
      },
    },
    onDrift: (aheadMs, isWrong) => told.push([aheadMs, isWrong]),
    onError: (error) => errors.push(error),
    machine: {
      unixMs: () => startMs + state.steadyMs + state.machineAheadMs,
      steadyMs: () => state.steadyMs,
    },
  })
  t.teardown(clock.stop)
  const pass = async (ms: number): Promise<void> => {
    state.steadyMs += ms
    mock.timers.tick(ms)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { clock, state, told, errors, pass }
}

test.beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
test.afterEach.always(() => mock.timers.reset())

for (const aheadMs of [-hourMs, hourMs]) {
  test.serial(
    `a machine whose clock is wrong by ${aheadMs} ms has the time of PostgreSQL, and says so once`,
    async (t) => {
      const { clock, state, told, pass } = await open(t, aheadMs)
      t.is(clock.nowMs(), startMs)
      state.steadyMs += 1_500
      t.is(clock.nowMs(), startMs + 1_500)
      t.is(clock.aheadMs(), aheadMs)
      await pass(5_000)
      t.deepEqual(told, [[aheadMs, true]])
      state.machineAheadMs = 20
      t.is(clock.nowMs(), startMs + 6_500, 'a step of the clock of the machine changes nothing')
      await pass(5_000)
      t.deepEqual(told, [
        [aheadMs, true],
        [20, false],
      ])
    },
  )
}

test.serial('a clock that is a little off is not reported, and half of the time of the answer is added', async (t) => {
  const { clock, state, told, pass } = await open(t, 4_000)
  state.answerMs = 400
  await pass(5_000)
  t.is(clock.aheadMs(), 4_000)
  t.deepEqual(told, [])
})

test.serial(
  'while PostgreSQL is away or slow, the last answer counts on, and a failure is reported once',
  async (t) => {
    const { clock, state, errors, pass } = await open(t, hourMs)
    state.isAway = true
    await pass(5_000)
    await pass(5_000)
    t.is(errors.length, 1)
    state.isAway = false
    state.answerMs = 3_000
    await pass(5_000)
    t.is(clock.nowMs(), startMs + state.steadyMs)
    t.is(clock.aheadMs(), hourMs)
  },
)

test.serial('a database that hangs is not asked again', async (t) => {
  const { state, pass } = await open(t, 0)
  await pass(5_000)
  t.is(state.asked, 2)
  state.hangs = true
  await pass(5_000)
  await pass(5_000)
  t.is(state.asked, 3)
})

test.serial('the time of a real database is read', async (t) => {
  const { db, query, stop } = await makeDatabase()
  t.teardown(stop)
  const [before] = await query<{ now: Date }>('select clock_timestamp() as now')
  const errors: unknown[] = []
  const clock = await openDatabaseClock({ db, onDrift: () => undefined, onError: (error) => errors.push(error) })
  t.teardown(clock.stop)
  t.true(clock.nowMs() >= (before?.now.getTime() ?? Number.POSITIVE_INFINITY))
  t.deepEqual(errors, [])
})
