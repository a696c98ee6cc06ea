// Random faults in random order: invariants that hold at every moment, and the state that is reached when the faults are over. A failing
// seed fails again.
import test, { type ExecutionContext } from 'ava'
import { makePlacement } from '../../../src/actors/owner/placement.ts'
import { makeRandom, type Random } from '../../_kit/random.ts'
import { inSoak } from '../../_kit/soak.ts'
import { type Cluster, isWhole, makeCluster, type TestMember } from './_cluster.ts'
import { type MemoryEpochs, makeMemoryEpochs } from './_epochs.ts'

const names = ['a', 'b', 'c', 'd'] as const
const stepMs = 50
// A poll every 2 s, and after a failed one every 0.5 s; plus a step and the network delays.
const deposedLimitMs = 2_700
// A member that has also lost the database must detect that from its own silence: of its heartbeats, or of the database and another member.
const echoLimitMs = 3_000
const blindLimitMs = 15_300

type World = { cluster: Cluster; epochs: MemoryEpochs; random: Random; paused: Map<TestMember, number> }

function alive({ cluster, paused }: World): TestMember[] {
  return cluster.members().filter((member) => !paused.has(member))
}

/** Faults of every kind, each with its end. */
const events: Readonly<Record<string, (world: World) => void>> = {
  kill: (world) => alive(world).length > 1 && world.random.pick(alive(world)).kill(),
  start: (world) => {
    const running = new Set(world.cluster.members().map(({ name }) => name))
    const gone = names.filter((name) => !running.has(name))
    if (gone.length > 0) world.cluster.start(world.random.pick(gone), { skewMs: world.random.int(1e9) - 5e8 })
  },
  drain: (world) => {
    const some = alive(world)
    if (some.length > 1) void world.random.pick(some).stop()
  },
  pause: (world) => {
    const some = alive(world)
    if (some.length === 0) return
    const one = world.random.pick(some)
    one.pause()
    world.paused.set(one, world.cluster.clock.nowMs() + world.random.int(9_000))
  },
  cut: ({ cluster, random }) => {
    const left = names.filter(() => random.chance(0.5))
    cluster.network.cut([...left], [...names.filter((name) => !left.includes(name)), 'front'])
  },
  heal: ({ cluster }) => cluster.network.heal(),
  hang: (world) => {
    const some = alive(world)
    if (some.length > 0) world.cluster.network.hang(world.random.pick(some).name)
  },
  lose: ({ cluster }) => {
    for (const { name } of cluster.members()) cluster.network.lose(name)
  },
  regain: ({ cluster }) => {
    for (const { name } of cluster.members()) cluster.network.regain(name)
  },
  away: ({ epochs, random }) => epochs.setAway(random.pick(names), true),
  allAway: ({ epochs }) => {
    for (const name of names) epochs.setAway(name, true)
  },
  back: ({ epochs }) => {
    for (const name of names) epochs.setAway(name, false)
  },
  unanswered: ({ epochs, random }) => epochs.loseNextAnswer(random.pick(names)),
  weather: ({ cluster, random }) =>
    cluster.network.setWeather({
      dropShare: random.int(10) / 100,
      duplicateShare: random.int(20) / 100,
      delayMs: [0, 1 + random.int(200)],
    }),
}

/**
 * Updates the map of members that answer for a partition which the database assigns to another one, with the time since when. Returns the
 * map.
 */
function findDeposed({ cluster, epochs }: World, sinceMs: Map<string, number>): Map<string, number> {
  const now = new Set<string>()
  for (const member of cluster.members())
    for (const pid of member.answersFor())
      if (epochs.row(pid).boot !== member.boot) now.add(`${member.name} (${member.boot}) of partition ${pid}`)
  for (const known of sinceMs.keys()) if (!now.has(known)) sinceMs.delete(known)
  for (const one of now) sinceMs.set(one, sinceMs.get(one) ?? cluster.clock.nowMs())
  return sinceMs
}

function wake(world: World, nowMs: number): void {
  for (const [member, untilMs] of world.paused) {
    if (untilMs > nowMs) continue
    world.paused.delete(member)
    member.resume()
  }
}

async function end(world: World): Promise<void> {
  const { cluster, epochs } = world
  cluster.network.heal()
  cluster.network.setWeather({ dropShare: 0, duplicateShare: 0, delayMs: [0, 0] })
  wake(world, Number.POSITIVE_INFINITY)
  for (const name of names) epochs.setAway(name, false)
  for (const { name } of cluster.members()) cluster.network.regain(name)
  await cluster.clock.advance(20_000)
  for (const name of names) if (!cluster.members().some((one) => one.name === name)) cluster.start(name)
  await cluster.clock.advance(40_000)
}

/** All others replace a member that reaches neither the database nor them: only its fences end its answers. */
async function strand(t: ExecutionContext, { cluster, epochs, random }: World, said: string): Promise<void> {
  const one = random.pick(cluster.members())
  t.not(one.answersFor().length, 0, said)
  epochs.setAway(one.name, true)
  if (random.chance(0.5)) {
    cluster.network.lose(one.name)
    await cluster.clock.advance(echoLimitMs)
    t.deepEqual(one.answersFor(), [], said)
  } else {
    // It hears its own heartbeats.
    cluster.network.cut([one.name], [...names.filter((name) => name !== one.name), 'front'])
  }
  await cluster.clock.advance(blindLimitMs)
  t.deepEqual(one.answersFor(), [], said)
  t.true(
    epochs.rows().every(({ boot }) => boot !== one.boot),
    said,
  )
}

async function play(t: ExecutionContext, seed: number): Promise<void> {
  const slowness = makeRandom(-seed)
  const epochs: MemoryEpochs = makeMemoryEpochs(
    () => new Promise((done) => cluster.clock.after(slowness.int(slowness.chance(0.1) ? 200 : 5), done)),
  )
  const cluster = makeCluster({ seed, epochsOf: epochs.storeOf })
  const world: World = { cluster, epochs, random: makeRandom(seed), paused: new Map() }
  for (const name of names.slice(0, 3)) cluster.start(name)
  const deposedSinceMs = new Map<string, number>()
  const told: string[] = []
  let blindUntilMs = 0

  for (let atMs = 0; atMs < 60_000; atMs += stepMs) {
    await cluster.clock.advance(stepMs)
    const nowMs = cluster.clock.nowMs()
    wake(world, nowMs)
    if (world.random.chance(0.02)) {
      const event = world.random.pick(Object.keys(events))
      told.push(`${atMs} ${event}`)
      events[event]?.(world)
    }
    if (names.some((name) => epochs.isAway(name))) blindUntilMs = nowMs + blindLimitMs
    const limitMs = nowMs < blindUntilMs ? blindLimitMs : deposedLimitMs
    for (const [deposed, sinceMs] of findDeposed(world, deposedSinceMs)) {
      if (nowMs - sinceMs <= limitMs) continue
      t.fail(`seed ${seed}: ${deposed} answered for ${nowMs - sinceMs} ms after it was deposed: ${told.join(', ')}`)
      return
    }
  }

  await end(world)
  const said = `seed ${seed}: ${told.join(', ')}`
  t.true(isWhole(cluster), said)
  const placement = makePlacement(names)
  const misplaced = epochs.rows().filter(({ pid, owner }) => owner !== placement.rank(pid)[0])
  t.deepEqual(misplaced, [], said)
  await strand(t, world, said)
  t.is(new Set(epochs.claims).size, epochs.claims.length, `an epoch was given twice, ${said}`)
  t.deepEqual(cluster.faults, [], said)
}

const groups = inSoak(1, 4)
for (let group = 0; group < groups; group += 1)
  test(`random schedules, ${group + 1} of ${groups}: no member answers long for a lost partition, no epoch is used twice, and all partitions end at their owners`, async (t) => {
    for (let seed = group * 3; seed < group * 3 + 3; seed += 1) await play(t, seed + 1)
  })

test('outages that kill no member change no ownership, in whatever order they come', async (t) => {
  for (let seed = 1; seed <= inSoak(1, 4); seed += 1) {
    const epochs = makeMemoryEpochs()
    const cluster = makeCluster({ seed, epochsOf: epochs.storeOf })
    const random = makeRandom(seed)
    const members = names.map((name) => cluster.start(name))
    await cluster.clock.advance(3_000)
    const before = epochs.claims.length
    for (let round = 0; round < 8; round += 1) {
      const kind = random.int(4)
      const one = random.pick(members)
      if (kind === 0) for (const { name } of members) cluster.network.lose(name)
      if (kind === 1) for (const { name } of members) epochs.setAway(name, true)
      if (kind === 2) one.pause()
      if (kind === 3) for (const { name } of members) cluster.network.hang(name)
      // A member that hangs for longer is declared dead.
      await cluster.clock.advance(kind === 2 ? random.int(3_500) : random.int(40_000))
      one.resume()
      for (const { name } of random.chance(0.5) ? members : [...members].reverse()) {
        cluster.network.regain(name)
        epochs.setAway(name, false)
        await cluster.clock.advance(random.int(1_200))
      }
      await cluster.clock.advance(random.int(12_000))
    }
    await cluster.clock.advance(8_000)
    t.is(epochs.claims.length, before, `seed ${seed}`)
    t.true(isWhole(cluster), `seed ${seed}`)
    t.deepEqual(cluster.faults, [], `seed ${seed}`)
  }
})
