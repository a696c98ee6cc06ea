// Fronts send requests while members join and leave in order: every request is answered by an actor.
import test from 'ava'
import { openRouteTable } from '../../../src/actors/route-table.ts'
import { makeActorRouter } from '../../../src/actors/router.ts'
import { isWhole, makeCluster, workspaceIn } from './_cluster.ts'
import { type MemoryEpochs, makeMemoryEpochs } from './_epochs.ts'

test('members are stopped and replaced one after the other, and no request fails', async (t) => {
  // A busy database: each request takes 40 ms.
  const epochs: MemoryEpochs = makeMemoryEpochs(() => new Promise((done) => cluster.clock.after(20, done)))
  const cluster = makeCluster({ epochsOf: epochs.storeOf })
  const { clock } = cluster
  // Messages of one member arrive in order, as over one connection.
  cluster.network.setWeather({ delayMs: [2, 2] })
  const transport = cluster.network.join('front')
  const routes = openRouteTable({
    transport,
    clock,
    readPartitions: () => Promise.resolve(epochs.rows()),
    onChange: () => undefined,
    onError: (error) => t.fail(String(error)),
  })
  const results = new Map<string, number>()
  const router = makeActorRouter({
    transport,
    boot: 'front',
    routes,
    clock,
    onRequest: (_operation, result) => results.set(result, (results.get(result) ?? 0) + 1),
    onRetry: () => undefined,
    onFallback: () => undefined,
  })
  const names = ['a', 'b', 'c']
  const members = names.map((name) => cluster.start(name))
  await clock.advance(3_000)

  const asked: Promise<unknown>[] = []
  let longestMs = 0
  async function ask(forMs: number): Promise<void> {
    for (let atMs = 0; atMs < forMs; atMs += 5) {
      const askedAtMs = clock.nowMs()
      const answered = router.snapshot(workspaceIn((asked.length * 37) % 128), 'mark.1')
      asked.push(answered.then(() => (longestMs = Math.max(longestMs, clock.nowMs() - askedAtMs))))
      await clock.advance(5)
    }
  }
  for (const member of members) {
    const stopping = member.stop()
    await ask(500)
    await stopping
    cluster.start(member.name)
    await ask(15_000)
  }
  await clock.advance(1_000)
  await Promise.all(asked)
  t.true(isWhole(cluster))
  t.deepEqual([...results], [['ok', asked.length]])
  t.true(asked.length > 9_000)
  // A round trip is 4 ms: hardly any request is sent twice.
  t.true(longestMs <= 12, `${longestMs} ms`)
  t.deepEqual(cluster.faults, [])
  router.stop()
  routes.stop()
})
