// Members that join, leave, hang and are cut off, on a virtual clock.
import test, { type ExecutionContext } from 'ava'
import { decodeHeartbeat, type Heartbeat } from '../../../src/actors/heartbeat.ts'
import { partitionCount } from '../../../src/actors/partition.ts'
import { type Cluster, isWhole, makeCluster, type TestMember, whoAnswers } from './_cluster.ts'
import { type MemoryEpochs, makeMemoryEpochs } from './_epochs.ts'

type World = Cluster & { readonly epochs: MemoryEpochs }

function open(seed = 1): World {
  const epochs = makeMemoryEpochs()
  return { ...makeCluster({ seed, epochsOf: epochs.storeOf }), epochs }
}

/** Opens three members that have settled and own their shares. */
async function openThree(): Promise<{ world: World; a: TestMember; b: TestMember; c: TestMember }> {
  const world = open()
  const [a, b, c] = [world.start('a'), world.start('b', { skewMs: 86_400_000 }), world.start('c', { skewMs: -12_345 })]
  await world.clock.advance(2_000)
  return { world, a, b, c }
}

/** Returns how long it takes until `holds`, in steps of 10 ms. */
async function measure(world: World, holds: () => boolean, atMostMs: number): Promise<number> {
  const startedMs = world.clock.nowMs()
  while (!holds() && world.clock.nowMs() - startedMs < atMostMs) await world.clock.advance(10)
  return world.clock.nowMs() - startedMs
}

const count = (member: TestMember): number => member.ownership.describe().owned.length
const listOwned = ({ ownership }: TestMember): number[] =>
  ownership
    .describe()
    .owned.map(([pid]) => pid)
    .toSorted((one, other) => one - other)
const epochsOf = (world: World): string =>
  world.epochs
    .rows()
    .map(({ epoch }) => epoch)
    .join()
const end = (t: ExecutionContext, world: World): void => void t.deepEqual(world.faults, [])

test('alone, a member owns everything without waiting', async (t) => {
  const world = open()
  const a = world.start('a', { isAlone: true })
  await world.clock.advance(50)
  await a.ownership.settled
  t.is(count(a), partitionCount)
  t.is(await world.ask(7, 1, a.boot), 'ok')
  end(t, world)
})

test('three members settle for 1.5 s, then each owns about a third and no partition has two owners', async (t) => {
  const world = open()
  const all = [world.start('a'), world.start('b'), world.start('c')]
  await world.clock.advance(1_400)
  t.deepEqual(all.map(count), [0, 0, 0])
  await world.clock.advance(500)
  t.true(isWhole(world))
  for (const member of all) t.true(count(member) > 30 && count(member) < 56, `${member.name} has ${count(member)}`)
  t.is(world.epochs.claims.length, partitionCount)
  end(t, world)
})

test('a killed member is replaced within 2 s, and only what it owned changes hands', async (t) => {
  for (const afterMs of [0, 300, 600, 900]) {
    const { world, a, b, c } = await openThree()
    await world.clock.advance(afterMs)
    const kept = [...a.ownership.describe().owned, ...b.ownership.describe().owned]
    c.kill()
    const tookMs = await measure(world, () => isWhole(world), 5_000)
    t.true(tookMs > 400 && tookMs <= 2_000, `${tookMs} ms`)
    for (const [pid, epoch] of kept) t.is(world.epochs.row(pid).epoch, epoch)
    end(t, world)
  }
})

test('a member that hangs is replaced after 5 s of silence, answers nothing when it wakes, and gets its partitions back', async (t) => {
  const { world, a } = await openThree()
  const [[pid, epoch] = [0, 0]] = a.ownership.describe().owned
  a.pause()
  const tookMs = await measure(world, () => isWhole(world), 10_000)
  t.true(tookMs > 3_900 && tookMs <= 5_300, `${tookMs} ms`)
  await world.clock.advance(8_000 - tookMs)
  const queued = Array.from({ length: 20 }, () => world.send(pid, epoch, a.boot))
  await world.clock.settle()
  a.resume()
  const late = await world.ask(pid, epoch, a.boot)
  for (const answer of [...(await Promise.all(queued)), late]) t.not(answer, 'ok')
  t.is(a.ownership.describe().fences.echo, 1)
  await world.clock.advance(60)
  t.is(count(a), 0)
  const backMs = await measure(world, () => isWhole(world) && count(a) > 30, 20_000)
  t.true(backMs > 9_000, `${backMs} ms`)
  t.true(isWhole(world))
  end(t, world)
})

test('members that pause repeatedly replace a member that hangs, and no other', async (t) => {
  for (const [runMs, pauseMs] of [
    [900, 700],
    [500, 1_200],
    [300, 2_000],
  ] as const) {
    const { world, a, b, c } = await openThree()
    const [before, kept] = [world.epochs.claims.length, a.ownership.describe().owned.length]
    a.pause()
    const startedMs = world.clock.nowMs()
    while (count(b) + count(c) < partitionCount && world.clock.nowMs() - startedMs < 60_000) {
      await world.clock.advance(runMs)
      for (const member of [b, c]) member.pause()
      await world.clock.advance(pauseMs)
      for (const member of [b, c]) member.resume()
    }
    const tookMs = world.clock.nowMs() - startedMs
    t.log(`${runMs} ms of work, ${pauseMs} ms still: ${tookMs} ms`)
    t.true(tookMs <= 15_000, `${tookMs} ms`)
    t.is(world.epochs.claims.length - before, kept)
    end(t, world)
  }
})

test('a member that hangs for 2 s loses nothing', async (t) => {
  const { world, a } = await openThree()
  const before = epochsOf(world)
  a.pause()
  await world.clock.advance(2_000)
  a.resume()
  await world.clock.advance(10_000)
  t.is(epochsOf(world), before)
  t.true(isWhole(world))
  end(t, world)
})

for (const seconds of [1, 6, 60])
  test(`while NATS is away for ${seconds} s, no member claims partitions; afterwards the same epochs are served at once`, async (t) => {
    const { world, a, b, c } = await openThree()
    const before = epochsOf(world)
    for (const { name } of [a, b, c]) world.network.lose(name)
    await world.clock.advance(seconds * 1_000)
    if (seconds > 3) t.is(whoAnswers(world).size, 0)
    for (const { name } of [a, b, c]) world.network.regain(name)
    const tookMs = await measure(world, () => isWhole(world), 2_000)
    t.true(tookMs <= 200, `${tookMs} ms`)
    await world.clock.advance(15_000)
    t.is(epochsOf(world), before)
    t.true(isWhole(world))
    end(t, world)
  })

test('connections that come back one after the other are no evidence against the later ones', async (t) => {
  for (const outageMs of [900, 1_200, 1_400, 1_700]) {
    const { world, a, b, c } = await openThree()
    const before = epochsOf(world)
    await measure(world, () => a.ownership.describe().echoAgeMs < 20, 2_000)
    for (const { name } of [a, b, c]) world.network.lose(name)
    await world.clock.advance(outageMs)
    for (const { name } of [a, b, c]) {
      world.network.regain(name)
      await world.clock.advance(600)
    }
    await world.clock.advance(15_000)
    t.is(epochsOf(world), before, `${outageMs} ms`)
    t.true(isWhole(world))
    end(t, world)
  }
})

test('a member that reconnects seconds after the others is not declared dead, although its subjects had no responder meanwhile', async (t) => {
  for (const outageMs of [1_000, 2_000, 4_000]) {
    const { world, a, b, c } = await openThree()
    const before = epochsOf(world)
    await world.clock.advance(5_000)
    for (const { name } of [a, b, c]) world.network.lose(name)
    await world.clock.advance(outageMs)
    for (const { name } of [a, b, c]) {
      world.network.regain(name)
      await world.clock.advance(1_900)
    }
    await world.clock.advance(15_000)
    t.is(epochsOf(world), before, `${outageMs} ms`)
    t.true(isWhole(world))
    c.kill()
    const tookMs = await measure(world, () => isWhole(world), 5_000)
    t.true(tookMs <= 2_000, `and later a dead one is as soon replaced as ever: ${tookMs} ms`)
    end(t, world)
  }
})

test('a member whose event loop was blocked for 4 s answers no request from that time, and continues at the same epochs', async (t) => {
  const { world, a } = await openThree()
  const before = epochsOf(world)
  const [[pid, epoch] = [0, 0]] = a.ownership.describe().owned
  t.is(await world.ask(pid, epoch, a.boot), 'ok')
  a.pause()
  await world.clock.advance(3_900)
  const asked = world.send(pid, epoch, a.boot)
  await world.clock.settle()
  a.resume()
  await world.clock.advance(300)
  t.is(await asked, 'fenced')
  t.is(await world.ask(pid, epoch, a.boot), 'ok')
  t.is(a.ownership.describe().fences.echo, 1)
  t.is(epochsOf(world), before)
  end(t, world)
})

test('a server that hangs is left after 1.8 s: no ownership changes', async (t) => {
  const { world, a } = await openThree()
  const before = epochsOf(world)
  world.network.hang('a')
  const tookMs = await measure(world, () => a.ownership.describe().echoAgeMs > 1_500, 3_000)
  await world.clock.advance(1_000)
  t.true(tookMs < 2_000)
  t.true(a.ownership.describe().echoAgeMs < 1_100)
  await world.clock.advance(15_000)
  t.is(epochsOf(world), before)
  t.true(isWhole(world))
  end(t, world)
})

test('a member without an echo refuses after 3 s, whatever its timers do', async (t) => {
  const { world, a } = await openThree()
  const [[pid, epoch] = [0, 0]] = a.ownership.describe().owned
  world.network.lose('a')
  await world.clock.advance(2_990 - a.ownership.describe().echoAgeMs)
  t.true(a.ownership.mayAnswer())
  a.pause()
  await world.clock.advance(20)
  t.false(a.ownership.mayAnswer())
  t.false(a.ownership.isOwned('00000000-0000-7000-8000-000000000000'))
  t.true(pid >= 0 && epoch > 0)
  end(t, world)
})

test('a new member gets its share in chunks after 10 s, with no moment in which a partition has no owner for long', async (t) => {
  const world = open()
  const a = world.start('a')
  const b = world.start('b')
  await world.clock.advance(12_000)
  const c = world.start('c')
  await world.clock.advance(9_000)
  t.is(count(c), 0)
  let longestMs = 0
  let goneMs = 0
  const tookMs = await measure(
    world,
    () => {
      goneMs = isWhole(world) ? 0 : goneMs + 10
      longestMs = Math.max(longestMs, goneMs)
      return count(c) > 30 && isWhole(world)
    },
    20_000,
  )
  t.true(tookMs < 8_000, `${tookMs} ms`)
  await world.clock.advance(10_000)
  t.true(longestMs <= 50, `${longestMs} ms`)
  t.true(isWhole(world))
  for (const member of [a, b, c]) t.true(count(member) > 30 && count(member) < 56)
  t.is(world.epochs.claims.length, partitionCount + count(c))
  end(t, world)
})

test('a member that stops hands over at once', async (t) => {
  const { world, a } = await openThree()
  const stopping = a.stop()
  const tookMs = await measure(world, () => a.isDown() && isWhole(world), 3_000)
  await stopping
  t.true(tookMs <= 100, `${tookMs} ms`)
  t.true(world.epochs.rows().every(({ owner }) => owner === 'b' || owner === 'c'))
  end(t, world)
})

test('released partitions are claimed at once, even by a member that has just resumed and still waits before it claims those of dead members', async (t) => {
  const { world, a, b } = await openThree()
  a.pause()
  await world.clock.advance(8_000)
  a.resume()
  await measure(world, () => a.ownership.mayAnswer(), 2_000)
  await world.clock.advance(500)
  t.is(count(a), 0)
  t.false(a.ownership.describe().isReady)
  const stopping = b.stop()
  const tookMs = await measure(world, () => b.isDown() && isWhole(world), 3_000)
  await stopping
  t.true(tookMs <= 100, `${tookMs} ms`)
  t.true(count(a) > 0)
  end(t, world)
})

test('if the first-ranked member cannot claim a released partition, the next one does', async (t) => {
  const { world, a, b, c } = await openThree()
  world.epochs.setAway('b', true)
  const stopping = a.stop()
  const tookMs = await measure(world, () => a.isDown() && isWhole(world), 3_000)
  await stopping
  t.true(tookMs <= 250, `${tookMs} ms`)
  t.true(count(b) + count(c) === partitionCount)
  end(t, world)
})

test('a member is ready only when no partition lacks an owner', async (t) => {
  const world = open()
  const all = [world.start('a'), world.start('b'), world.start('c')]
  const isDone = ({ ownership }: TestMember): boolean =>
    ownership.describe().isReady && ownership.describe().orphans === 0
  t.deepEqual(all.map(isDone), [false, false, false])
  await measure(world, () => all.some(isDone), 5_000)
  t.true(isWhole(world))
  const [a, b, c] = all
  for (const name of ['a', 'b', 'c']) world.epochs.setAway(name, true)
  c?.kill()
  await world.clock.advance(3_000)
  t.deepEqual(
    [a, b].map((one) => one?.ownership.describe().isReady),
    [true, true],
  )
  t.is(a?.ownership.describe().orphans, c?.ownership.describe().owned.length)
  for (const name of ['a', 'b']) world.epochs.setAway(name, false)
  await measure(world, () => all.slice(0, 2).every(isDone), 3_000)
  t.true(isWhole(world))
  end(t, world)
})

test('a restarted member finds its partitions again by the name it keeps', async (t) => {
  const { world, a } = await openThree()
  const before = listOwned(a)
  a.kill()
  await world.clock.advance(200)
  const again = world.start('a')
  await world.clock.advance(20_000)
  t.true(isWhole(world))
  t.deepEqual(listOwned(again), before)
  end(t, world)
})

test('a claim that took place without an answer is made again at once', async (t) => {
  const world = open()
  const a = world.start('a')
  world.epochs.loseNextAnswer('a')
  await world.clock.advance(3_000)
  t.true(isWhole(world))
  t.is(a.ownership.describe().owned.filter(([, epoch]) => epoch === 2).length, 64)
  end(t, world)
})

test('while no member reaches the database, all partitions are served; a member killed meanwhile is replaced afterwards', async (t) => {
  const { world, a, b, c } = await openThree()
  const before = epochsOf(world)
  for (const { name } of [a, b, c]) world.epochs.setAway(name, true)
  await world.clock.advance(30_000)
  t.true(isWhole(world))
  const lost = c.ownership.describe().owned.length
  c.kill()
  await world.clock.advance(8_000)
  t.is(epochsOf(world), before)
  world.epochs.setAway('a', false)
  // The other members learn of it later.
  await world.clock.advance(450)
  world.epochs.setAway('b', false)
  const tookMs = await measure(world, () => isWhole(world), 5_000)
  t.true(tookMs <= 2_500, `${tookMs} ms`)
  t.is(world.epochs.rows().filter(({ epoch }) => epoch === 2).length, lost)
  end(t, world)
})

test('every member reports within 0.4 s that the database is unavailable, and that it is available again', async (t) => {
  const { world, a, b, c } = await openThree()
  const said = new Map<string, boolean>()
  world.network.join('front').subscribe('tw.hb.*', (bytes) => {
    const heartbeat = decodeHeartbeat(bytes)
    if (heartbeat !== null) said.set(heartbeat.boot, heartbeat.pgOk)
  })
  await world.clock.advance(1_000)
  for (const afterMs of [0, 170, 430, 810]) {
    await world.clock.advance(5_000 + afterMs)
    for (const isAway of [true, false]) {
      for (const { name } of [a, b, c]) world.epochs.setAway(name, isAway)
      const tookMs = await measure(world, () => [a, b, c].every(({ boot }) => said.get(boot) === !isAway), 2_000)
      t.true(tookMs <= 400, `${tookMs} ms`)
    }
  }
  t.true(isWhole(world))
  end(t, world)
})

test('every member reports within 0.8 s that the database hangs, and within 0.4 s that it answers again', async (t) => {
  let answer = Promise.resolve()
  const epochs = makeMemoryEpochs(() => answer)
  const world = { ...makeCluster({ epochsOf: epochs.storeOf }), epochs }
  const members = ['a', 'b', 'c'].map((name) => world.start(name))
  const said = new Map<string, Heartbeat>()
  world.network.join('front').subscribe('tw.hb.*', (bytes) => {
    const heartbeat = decodeHeartbeat(bytes)
    if (heartbeat !== null) said.set(heartbeat.boot, heartbeat)
  })
  const doAll = (tell: (heartbeat: Heartbeat | undefined) => boolean): boolean =>
    members.every(({ boot }) => tell(said.get(boot)))
  await world.clock.advance(2_000)
  const before = epochsOf(world)
  for (const afterMs of [0, 170, 430, 810]) {
    await world.clock.advance(5_000 + afterMs)
    const { promise, resolve } = Promise.withResolvers<void>()
    answer = promise
    const silentMs = await measure(world, () => doAll((one) => one?.pgAnswers === false), 2_000)
    t.true(silentMs <= 800, `${silentMs} ms`)
    t.true(
      doAll((one) => one?.pgOk === true),
      'who owns what does not depend on it',
    )
    answer = Promise.resolve()
    resolve()
    const backMs = await measure(world, () => doAll((one) => one?.pgAnswers === true), 2_000)
    t.true(backMs <= 400, `${backMs} ms`)
  }
  t.is(epochsOf(world), before)
  end(t, world)
})

test('a member that alone has lost the database is replaced after 10 s', async (t) => {
  const { world, a } = await openThree()
  world.epochs.setAway('a', true)
  await world.clock.advance(9_000)
  t.true(count(a) > 0)
  await world.clock.advance(5_000)
  t.is(count(a), 0)
  t.true(isWhole(world))
  end(t, world)
})

test('cut off from the others but not from the database, both sides agree within 2 s of the take-over', async (t) => {
  const { world, a } = await openThree()
  world.network.cut(['a'], ['b', 'c'])
  let dualMs = 0
  let longestMs = 0
  for (let at = 0; at < 1_500; at += 1) {
    await world.clock.advance(10)
    const isDual = [...whoAnswers(world).values()].some((names) => names.length > 1)
    dualMs = isDual ? dualMs + 10 : 0
    longestMs = Math.max(longestMs, dualMs)
  }
  t.true(longestMs <= 2_100, `${longestMs} ms`)
  t.true(isWhole(world))
  world.network.heal()
  await world.clock.advance(20_000)
  t.true(isWhole(world))
  t.true(count(a) > 30)
  end(t, world)
})

test('cut off from the others and from the database, a member stops to answer after 15 s', async (t) => {
  const { world, a } = await openThree()
  world.network.cut(['a'], ['b', 'c'])
  world.epochs.setAway('a', true)
  await world.clock.advance(13_000)
  t.true(a.answersFor().length > 0)
  await world.clock.advance(4_100)
  t.deepEqual(a.answersFor(), [])
  t.is(a.ownership.describe().fences.database, 1)
  t.true(isWhole(world))
  end(t, world)
})

test('after the database was restored to older epochs, later ones are dropped, and new epochs exceed all that were seen', async (t) => {
  const { world, a } = await openThree()
  const early = world.epochs.rows()
  const [[pid] = [0]] = a.ownership.describe().owned
  a.kill()
  await world.clock.advance(8_000)
  const late = world.epochs.rows()
  t.true(isWhole(world))
  const heir = world.members().find(({ boot }) => boot === world.epochs.row(pid).boot)
  world.epochs.restore(early)
  await world.clock.advance(4_000)
  t.true(isWhole(world))
  for (const row of late) {
    const now = world.epochs.row(row.pid)
    if (early[row.pid]?.epoch === row.epoch) t.is(now.epoch, row.epoch)
    else t.true(now.epoch > row.epoch)
  }
  t.is(await world.ask(pid, late[pid]?.epoch ?? 0, heir?.boot ?? ''), 'NoResponders')
  end(t, world)
})

test('two processes with the same name are reported, and no partition has two owners', async (t) => {
  const world = open()
  world.start('a')
  world.start('a')
  await world.clock.advance(10_000)
  const found = [...whoAnswers(world).values()]
  t.true(found.every((names) => names.length === 1))
  t.is(world.faults.filter((fault) => fault.includes('has the same member name')).length, 2)
})

test('a member does not settle before it receives messages and can read the database', async (t) => {
  const world = open()
  world.epochs.setAway('a', true)
  const a = world.start('a')
  world.network.lose('a')
  await world.clock.advance(10_000)
  world.network.regain('a')
  await world.clock.advance(5_000)
  t.false(a.ownership.describe().isReady)
  world.epochs.setAway('a', false)
  await world.clock.advance(3_000)
  t.is(count(a), partitionCount)
  end(t, world)
})

test('a refused write ends only the ownership under which it was made, not one that was claimed since', async (t) => {
  const { world, a } = await openThree()
  const [[pid, epoch] = [0, 0]] = a.ownership.describe().owned
  const before = count(a)
  a.ownership.reportFenced({ pid, epoch: epoch - 1, boot: a.boot })
  t.is(count(a), before)
  a.ownership.reportFenced({ pid, epoch, boot: a.boot })
  t.is(count(a), before - 1)
  // The database still assigns the dropped partition to it: it is claimed again at a new epoch.
  await world.clock.advance(300)
  t.true(isWhole(world))
  a.ownership.reportFenced({ pid, epoch, boot: a.boot })
  t.is(count(a), before)
  end(t, world)
})

test('a failure that is no outage, such as a missing right, is retried and reported only as often as the database is polled', async (t) => {
  const epochs = makeMemoryEpochs()
  let isForbidden = false
  let tries = 0
  const forbid = (): void => {
    tries += 1
    throw new Error('permission denied for table partitions')
  }
  const world = makeCluster({
    seed: 1,
    epochsOf(member) {
      const store = epochs.storeOf(member)
      const list = async () => (isForbidden ? forbid() : undefined) ?? (await store.list())
      return { ...store, list }
    },
  })
  world.start('a')
  world.start('b')
  await world.clock.advance(3_000)
  isForbidden = true
  await world.clock.advance(3_000)
  // Each of the two tries every 300 ms.
  t.true(tries > 10 && tries <= 22, String(tries))
  t.is(world.faults.length, tries)
  isForbidden = false
  await world.clock.advance(3_000)
  t.true(isWhole(world))
})

test('a process that starts while its read of the database fails retries no more often either', async (t) => {
  const epochs = makeMemoryEpochs()
  let isForbidden = true
  let tries = 0
  const world = makeCluster({
    seed: 1,
    epochsOf(member) {
      const store = epochs.storeOf(member)
      const list = async () => {
        if (!isForbidden) return await store.list()
        tries += 1
        throw new Error('permission denied for table partitions')
      }
      return { ...store, list }
    },
  })
  world.start('a')
  world.start('b')
  await world.clock.advance(3_000)
  t.true(tries > 10 && tries <= 22, String(tries))
  isForbidden = false
  await world.clock.advance(4_000)
  t.true(isWhole(world))
})
