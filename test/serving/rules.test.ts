import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { late, withTimeout } from '../../src/base/within.ts'
import type { RulesSnapshot } from '../../src/decisions/snapshot.ts'
import { openRules, type Rules, type RulesDeps } from '../../src/serving/rules.ts'
import { rulesTimeouts } from '../../src/serving/rules-cache.ts'
import { fastest } from '../_kit/fastest.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'

const one = makeUuidV7()
const never = new AbortController().signal
const rulesOf = (n: number, mark = 'mark'): RulesSnapshot => {
  const version = `${mark}.${n}`
  return { version, text: JSON.stringify({ version }) }
}

type World = {
  rules: Rules
  clock: { nowMs: number }
  database: {
    version: number
    mark: string
    down: boolean
    gone: boolean
    reads: (string | null)[]
    hold: Promise<void> | null
  }
  stale: () => number
  /** Long by default: these tests are not about a slow machine. */
  patience: { oldMs: number; invalidatedMs: number }
}

const longPatience = { oldMs: 60_000, invalidatedMs: 60_000 }

function makeWorld(deps: Partial<RulesDeps> = {}): World {
  const clock = { nowMs: 0 }
  const database: World['database'] = { version: 1, mark: 'mark', down: false, gone: false, reads: [], hold: null }
  const timeouts = { ...longPatience }
  let stale = 0
  const rules = openRules({
    askActor: () => Promise.resolve(null),
    async readDatabase(_, ifVersion) {
      database.reads.push(ifVersion)
      const { version, mark } = database
      await database.hold
      if (database.down) throw new Outage('failure', 'the database is away')
      if (database.gone) return null
      const rules = rulesOf(version, mark)
      return rules.version === ifVersion ? 'same' : rules
    },
    maxReads: 3,
    isDeaf: () => false,
    onStale: () => {
      stale += 1
    },
    onError: () => undefined,
    nowMs: () => clock.nowMs,
    timeouts,
    ...deps,
  })
  return { rules, clock, database, stale: () => stale, patience: timeouts }
}

const readVersion = async ({ rules }: World): Promise<string | undefined> => (await rules.read(one))?.rules.version

test('cached rules are served for five seconds without a query, then checked by their version', async (t) => {
  const world = makeWorld()
  t.is(world.rules.peek(one), null)
  t.is(await readVersion(world), 'mark.1')
  world.database.version = 2
  world.clock.nowMs = 4_999
  t.is(await readVersion(world), 'mark.1')
  t.is(world.rules.peek(one)?.version, 'mark.1')
  world.clock.nowMs = 5_000
  t.is(world.rules.peek(one), null)
  t.is(await readVersion(world), 'mark.2')
  world.clock.nowMs = 10_000
  t.is(await readVersion(world), 'mark.2')
  t.deepEqual(world.database.reads, [null, 'mark.1', 'mark.2'])
  world.rules.stop()
})

test('all callers that wait for the same rules share one read', async (t) => {
  const world = makeWorld()
  const release = Promise.withResolvers<void>()
  world.database.hold = release.promise
  const reads = Array.from({ length: 100 }, () => readVersion(world))
  release.resolve()
  t.deepEqual(new Set(await Promise.all(reads)), new Set(['mark.1']))
  t.is(world.database.reads.length, 1)
  world.rules.stop()
})

test('the rules of at most as many workspaces as configured are read at once', async (t) => {
  let running = 0
  let most = 0
  const world = makeWorld({
    maxReads: 5,
    async readDatabase() {
      running += 1
      most = Math.max(most, running)
      await new Promise((turn) => setImmediate(turn))
      running -= 1
      return rulesOf(1)
    },
  })
  await Promise.all(Array.from({ length: 50 }, () => world.rules.read(makeUuidV7())))
  t.is(most, 5)
  world.rules.stop()
})

test('a workspace whose rules change all the time leaves turns with the database to others', async (t) => {
  const world = makeWorld()
  const release = Promise.withResolvers<void>()
  world.database.hold = release.promise
  const reads: Promise<string | undefined>[] = []
  for (let change = 1; change <= 20; change += 1) {
    world.database.version = change
    world.rules.invalidate(one)
    reads.push(readVersion(world))
    await new Promise((turn) => setImmediate(turn))
  }
  world.database.hold = null
  t.is((await world.rules.read(makeUuidV7()))?.rules.version, 'mark.20')
  release.resolve()
  t.is(await reads.at(-1), 'mark.20')
  await Promise.all(reads)
  t.is(world.rules.peek(one)?.version, 'mark.20')
  world.rules.stop()
})

test('if the actor answers, the database is not queried', async (t) => {
  const world = makeWorld({ askActor: (_, ifVersion) => Promise.resolve(ifVersion === 'mark.7' ? 'same' : rulesOf(7)) })
  t.is(await readVersion(world), 'mark.7')
  world.clock.nowMs = 5_000
  t.is(await readVersion(world), 'mark.7')
  t.deepEqual(world.database.reads, [])
  world.rules.stop()
})

test('a notice makes the next read query again, even while an older query runs', async (t) => {
  const world = makeWorld()
  await readVersion(world)
  world.clock.nowMs = 5_000
  const release = Promise.withResolvers<void>()
  world.database.hold = release.promise
  const early = readVersion(world)
  await until(() => world.database.reads.length === 2)
  world.database.version = 2
  world.rules.invalidate(one)
  world.database.hold = null
  t.is(await readVersion(world), 'mark.2')
  release.resolve()
  t.true(['mark.1', 'mark.2'].includes((await early) ?? ''))
  t.is(await readVersion(world), 'mark.2', 'the older look did not bring the old rules back')
  world.rules.stop()
})

test('during an outage cached rules are served for a minute, with their age; then it is an outage', async (t) => {
  const world = makeWorld()
  await readVersion(world)
  world.database.down = true
  world.clock.nowMs = 10_000
  t.like(await world.rules.read(one), { ageS: 10 })
  const reads = world.database.reads.length
  world.clock.nowMs = 10_900
  t.like(await world.rules.read(one), { ageS: 11 })
  t.is(world.database.reads.length, reads, 'not every request finds the outage out for itself')
  world.rules.invalidate(one)
  world.clock.nowMs = 60_000
  t.like(await world.rules.read(one), { ageS: 60 })
  t.is(world.stale(), 3)
  world.clock.nowMs = 60_001
  await t.throwsAsync(world.rules.read(one), { instanceOf: Outage })
  world.database.down = false
  world.database.version = 2
  world.clock.nowMs = 61_500
  t.like(await world.rules.read(one), { ageS: 0, rules: { version: 'mark.2' } })
  world.rules.stop()
})

/** Makes each later read of the database hang until the returned function is called; the wait for it is as in production. */
function hang({ database, patience: timeouts }: World): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  database.hold = promise
  Object.assign(timeouts, rulesTimeouts)
  return () => {
    database.hold = null
    Object.assign(timeouts, longPatience)
    resolve()
  }
}

test.serial(
  'of a database that hangs, what is merely old comes within 300 ms with its age, and the look goes on',
  async (t) => {
    const world = makeWorld()
    await readVersion(world)
    world.database.version = 2
    const goOn = hang(world)
    for (const nowMs of [10_000, 11_000, 59_999]) {
      world.clock.nowMs = nowMs
      const { value, tookMs } = await measure(async () => await world.rules.read(one))
      t.like(value, { ageS: Math.ceil(nowMs / 1_000), rules: { version: 'mark.1' } })
      t.true(tookMs < 300, `${tookMs} ms`)
    }
    t.deepEqual(world.database.reads, [null, 'mark.1'], 'one look for all of them')
    t.is(world.stale(), 3)
    world.clock.nowMs = 10_000
    goOn()
    await until(() => world.rules.peek(one)?.version === 'mark.2')
    t.is(world.database.reads.length, 2)
    world.rules.stop()
  },
)

test.serial('after a notice of a change, callers wait for the new rules for up to two seconds, once', async (t) => {
  const world = makeWorld()
  await readVersion(world)
  world.database.version = 2
  world.rules.invalidate(one)
  const goOn = hang(world)
  world.patience.invalidatedMs = longPatience.invalidatedMs
  const first = readVersion(world)
  t.is(await withTimeout(400, first), late)
  goOn()
  t.is(await first, 'mark.2', 'it was worth the wait')

  world.database.version = 3
  world.rules.invalidate(one)
  hang(world)
  const { value, tookMs } = await measure(async () => await world.rules.read(one))
  t.like(value, { ageS: 1, rules: { version: 'mark.2' } })
  t.true(tookMs < 2_300, `${tookMs} ms`)
  world.clock.nowMs = 2_000
  const again = await measure(async () => await world.rules.read(one))
  t.like(again.value, { ageS: 2, rules: { version: 'mark.2' } })
  t.true(again.tookMs < 300, `${again.tookMs} ms`)
  world.rules.stop()
})

test.serial(
  'if the database hangs and the cached rules are too old, callers get an outage within two seconds',
  async (t) => {
    const world = makeWorld()
    await readVersion(world)
    const goOn = hang(world)
    world.clock.nowMs = 60_001
    for (const id of [one, makeUuidV7()]) {
      const { tookMs } = await measure(async () => await t.throwsAsync(world.rules.read(id), { instanceOf: Outage }))
      t.true(tookMs < 2_300, `${tookMs} ms`)
    }
    goOn()
    await until(() => world.rules.peek(one) !== null)
    world.rules.stop()
  },
)

test('a hanging check for waiting requests does not delay other requests', async (t) => {
  const world = makeWorld({ recheckIntervalMs: 20 })
  const held = await world.rules.read(one)
  if (held === null) return t.fail()
  const goOn = hang(world)
  const wait = world.rules.waitForChange(one, held.rules, never, 20_000)
  await until(() => world.database.reads.length === 2)
  t.is(world.rules.peek(one)?.version, 'mark.1')
  world.database.version = 2
  world.rules.invalidate(one)
  goOn()
  t.is(await wait, 'woken')
  world.rules.stop()
})

test('a bug in a query without waiting callers is reported', async (t) => {
  const errors: unknown[] = []
  const world = makeWorld({ onError: (error) => void errors.push(error) })
  await readVersion(world)
  world.clock.nowMs = 10_000
  const failing = Promise.withResolvers<void>()
  world.database.hold = failing.promise
  world.patience.oldMs = 1
  t.like(await world.rules.read(one), { ageS: 10 })
  failing.reject(new Error('a bug'))
  await until(() => errors.length === 1)
  t.is((errors[0] as Error).message, 'a bug')
  world.rules.stop()
})

test('without cached rules an outage is reported at once, and a bug is reported as a bug', async (t) => {
  const world = makeWorld()
  world.database.down = true
  await t.throwsAsync(world.rules.read(one), { instanceOf: Outage })
  const broken = makeWorld({ readDatabase: () => Promise.reject(new Error('a bug')) })
  await t.throwsAsync(broken.rules.read(one), { message: 'a bug' })
})

test('the notice of a deletion removes the cached rules of the workspace', async (t) => {
  const world = makeWorld()
  await readVersion(world)
  world.database.gone = true
  world.rules.invalidate(one)
  t.is(await world.rules.read(one), null)
  t.is(world.rules.peek(one), null)
  world.rules.stop()
})

test('memory is limited: the least recently used rules are removed', async (t) => {
  const ids = Array.from({ length: 50 }, () => makeUuidV7())
  const world = makeWorld({ maxCacheBytes: 30_000 })
  for (const id of ids) await world.rules.read(id)
  const held = ids.filter((id) => world.rules.peek(id) !== null)
  t.true(held.length > 5 && held.length < 20, `${held.length} held`)
  t.is(held.at(-1), ids.at(-1))
  world.rules.stop()
})

test.serial('a change wakes all waiting callers within 100 ms, by one read', async (t) => {
  const world = makeWorld()
  const tookMs = await fastest(async () => {
    const held = await world.rules.read(one)
    if (held === null) return Number.NaN
    const waits = Array.from({ length: 200 }, () => world.rules.waitForChange(one, held.rules, never, 20_000))
    t.is(world.rules.parked(), 200)
    world.database.version += 1
    world.database.reads.length = 0
    const startedAtMs = performance.now()
    world.rules.invalidate(one)
    t.deepEqual(new Set(await Promise.all(waits)), new Set(['woken']))
    const tookMs = performance.now() - startedAtMs
    t.is(world.database.reads.length, 1)
    t.is(world.rules.peek(one)?.version, `mark.${world.database.version}`)
    return tookMs
  }, 100)
  t.true(tookMs < 100, `${tookMs} ms`)
  world.rules.stop()
})

test('a notice without a change does not end a wait', async (t) => {
  const world = makeWorld()
  const held = await world.rules.read(one)
  if (held === null) return t.fail()
  const wait = world.rules.waitForChange(one, held.rules, never, 20_000)
  world.rules.invalidate(one)
  await until(() => world.database.reads.length === 2)
  await until(() => world.rules.peek(one) !== null)
  t.is(world.rules.parked(), 1)
  world.rules.stop()
  t.is(await wait, 'aborted')
})

test('after a lost notice, one query for each workspace with waiting requests finds the change', async (t) => {
  const world = makeWorld({ recheckIntervalMs: 20 })
  const held = await world.rules.read(one)
  if (held === null) return t.fail()
  const waits = Array.from({ length: 100 }, () => world.rules.waitForChange(one, held.rules, never, 20_000))
  await until(() => world.database.reads.length >= 3)
  t.is(world.rules.parked(), 100)
  world.database.version = 2
  t.deepEqual(new Set(await Promise.all(waits)), new Set(['woken']))
  t.true(world.database.reads.length < 100)
  world.rules.stop()
})

test('a wait ends with its time and with its client, and a change that is already known ends it at once', async (t) => {
  const world = makeWorld()
  const held = await world.rules.read(one)
  if (held === null) return t.fail()
  t.is(await world.rules.waitForChange(one, held.rules, never, 5), 'timeout')
  t.is(await world.rules.waitForChange(one, held.rules, AbortSignal.abort(), 20_000), 'aborted')
  const gone = new AbortController()
  const wait = world.rules.waitForChange(one, held.rules, gone.signal, 20_000)
  gone.abort()
  t.is(await wait, 'aborted')
  t.is(world.rules.parked(), 0)
  world.database.version = 2
  world.rules.invalidate(one)
  await world.rules.read(one)
  t.is(await world.rules.waitForChange(one, held.rules, never, 20_000), 'woken')
  world.rules.stop()
})

test('a notice that arrives before a wait begins ends it, with one query for all', async (t) => {
  const { rules, database } = makeWorld({ recheckIntervalMs: 3_600_000 })
  t.teardown(rules.stop)
  const held = await rules.read(one)
  // As the route does: the key is looked up again between the read and the wait.
  database.version = 2
  rules.invalidate(one)
  const waits = [1, 2].map(async () => await rules.waitForChange(one, held?.rules ?? t.fail(), never, 60_000))
  t.deepEqual(await Promise.all(waits), ['woken', 'woken'])
  t.deepEqual(database.reads, [null, 'mark.1'])
})

test('a notice that arrives during the query before a wait ends the wait', async (t) => {
  const { rules, database, clock } = makeWorld({ recheckIntervalMs: 3_600_000 })
  t.teardown(rules.stop)
  await rules.read(one)
  clock.nowMs = 6_000
  const answer = Promise.withResolvers<undefined>()
  database.hold = answer.promise
  const reading = rules.read(one)
  // The database has read the current rules, and its answer is in transit.
  await until(() => database.reads.length === 2)
  database.version = 2
  rules.invalidate(one)
  database.hold = null
  answer.resolve(undefined)
  const held = await reading
  t.is(held?.rules.version, 'mark.1')
  t.is(await rules.waitForChange(one, held?.rules ?? t.fail(), never, 60_000), 'woken')
})

test('a restored database that reuses a number is detected, and waiting callers are woken', async (t) => {
  const world = makeWorld({ recheckIntervalMs: 20 })
  const held = await world.rules.read(one)
  if (held === null) return t.fail()
  const wait = world.rules.waitForChange(one, held.rules, never, 20_000)
  world.database.mark = 'other'
  t.is(await wait, 'woken')
  t.is(await readVersion(world), 'other.1')
  world.rules.stop()
})

test('a front that receives no notices reports the age of its cached rules, and rules that it has just read have none', async (t) => {
  let isDeaf = false
  const world = makeWorld({ isDeaf: () => isDeaf })
  t.like(await world.rules.read(one), { ageS: 0 })
  world.clock.nowMs = 3_001
  t.like(await world.rules.read(one), { ageS: 0 }, 'the control: it would have heard')
  t.truthy(world.rules.peek(one))
  isDeaf = true
  t.like(await world.rules.read(one), { ageS: 4 })
  t.is(world.rules.peek(one), null, 'nobody is answered without the age')
  t.is(world.database.reads.length, 1, 'it is still answered from memory')
  world.clock.nowMs = 5_000
  t.like(await world.rules.read(one), { ageS: 0 })
  t.is(world.stale(), 0)
  world.rules.stop()
})
