// Sends requests to the owners of partitions all the time, as a front does, and measures the longest time without an answer, whether an
// epoch ever went back, and what a previous owner still answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicClock } from '../../src/actors/clock.ts'
import { decodeReply, encodeEnvelope } from '../../src/actors/envelope.ts'
import { makePlacement } from '../../src/actors/owner/placement.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import type { PartitionRow } from '../../src/actors/partition-table.ts'
import { openRouteTable, type PartitionRoute } from '../../src/actors/route-table.ts'
import { operationSubject } from '../../src/actors/subjects.ts'
import { openNatsTransport } from '../../src/bus/nats.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import type { Query } from './_database.ts'

export type Probe = {
  readonly partitions: readonly number[]
  route(partition: number): PartitionRoute | null
  /** Restarts the measurement. */
  reset(): void
  /** The longest time without an answer from an owner, of these partitions or of all. */
  longestGapMs(partitions?: readonly number[]): number
  /** Violations: epochs that went back. */
  readonly faults: readonly string[]
  /** Times of answers in ms, not sorted. */
  readonly answeredMs: readonly number[]
  /**
   * Sends requests to the owners of these routes until `stop`, whoever owns the partitions by then. Returns the numbers of answers by kind.
   */
  askStale(routes: ReadonlyMap<number, PartitionRoute>): {
    stop(): Promise<{ yes: number; no: number; silent: number }>
  }
  stop(): Promise<void>
}

// Each of them is asked all the time, which the owner answers by a read of the database.
const workspacesOfEachActor = inSoak(1, 2)
// As short as the shortest limit requires, and long enough that the requests cost the cluster little. Limits below a second are in the soak.
const pauseMs = inSoak(300, 200)
const timeoutMs = 250
const staleTimeoutMs = 20_000
const stalePauseMs = 200

type Target = {
  readonly partition: number
  readonly workspaceId: string
  answeredAtMs: number
  gapMs: number
  epoch: number
}

/** Makes workspaces that belong to each of these actors. Resolves when every probed partition has answered. */
export async function openProbe(natsUrl: string, query: Query, actors: readonly string[]): Promise<Probe> {
  const transport = await openNatsTransport({
    address: { url: natsUrl },
    name: 'probe',
    onError: () => undefined,
  })
  const routes = openRouteTable({
    transport,
    clock: monotonicClock,
    readPartitions: async () =>
      await query<PartitionRow>('select pid, epoch::float8 as epoch, owner, boot from partitions order by pid'),
    onChange: () => undefined,
    onError: () => undefined,
  })
  const nowMs = performance.now()
  const targets = (await insertWorkspaces(query, actors)).map(
    ([partition, workspaceId]): Target => ({ partition, workspaceId, answeredAtMs: nowMs, gapMs: 0, epoch: 0 }),
  )
  const faults: string[] = []
  const answeredMs: number[] = []
  const stopping = new AbortController()
  let asked = 0

  function write({ partition, workspaceId }: Target, route: PartitionRoute, budgetMs: number) {
    asked += 1
    const envelope = {
      op: 'snapshot',
      ws: workspaceId,
      epoch: route.epoch,
      reqId: `probe-${asked}`,
      budgetMs,
      body: { ifVersion: null },
    }
    return { subject: operationSubject(partition, route.token, 'snapshot'), bytes: encodeEnvelope(envelope) }
  }

  async function ask(target: Target, route: PartitionRoute): Promise<void> {
    const { subject, bytes } = write(target, route, timeoutMs)
    const sentAtMs = performance.now()
    const reply = await transport.request(subject, bytes, { timeoutMs }).then(decodeReply, () => null)
    if (reply?.ok !== true) return
    const atMs = performance.now()
    answeredMs.push(atMs - sentAtMs)
    target.gapMs = Math.max(target.gapMs, atMs - target.answeredAtMs)
    target.answeredAtMs = atMs
    if (route.epoch < target.epoch)
      faults.push(`partition ${target.partition} was answered at epoch ${route.epoch} after ${target.epoch}`)
    target.epoch = Math.max(target.epoch, route.epoch)
  }

  async function watch(target: Target): Promise<void> {
    while (!stopping.signal.aborted) {
      const route = routes.get(target.partition)
      if (route === null) await routes.changed(target.partition, null, 50)
      else {
        await ask(target, route)
        await sleep(pauseMs)
      }
    }
  }

  const watching = targets.map(async (target) => await watch(target))
  await until(() => targets.every(({ epoch }) => epoch > 0))

  return {
    partitions: targets.map(({ partition }) => partition),
    route: routes.get,
    faults,
    answeredMs,
    reset() {
      answeredMs.length = 0
      for (const target of targets) {
        target.answeredAtMs = performance.now()
        target.gapMs = 0
      }
    },
    longestGapMs: (partitions) =>
      Math.max(
        0,
        ...targets
          .filter(({ partition }) => partitions?.includes(partition) ?? true)
          .map(({ gapMs, answeredAtMs }) => Math.max(gapMs, performance.now() - answeredAtMs)),
      ),
    askStale(stale) {
      const tally = { yes: 0, no: 0, silent: 0 }
      const open: Promise<void>[] = []
      const stoppingStale = new AbortController()
      const asking = (async () => {
        while (!stoppingStale.signal.aborted) {
          for (const target of targets) {
            const route = stale.get(target.partition)
            if (route === undefined) continue
            const { subject, bytes } = write(target, route, 0)
            const request = transport.request(subject, bytes, { timeoutMs: staleTimeoutMs })
            open.push(
              request.then(
                (answer) => void (tally[decodeReply(answer)?.ok === true ? 'yes' : 'no'] += 1),
                () => void (tally.silent += 1),
              ),
            )
          }
          await sleep(stalePauseMs)
        }
      })()
      return {
        async stop() {
          stoppingStale.abort()
          await asking
          // Each request ends, with or without an answer.
          await Promise.all(open)
          return tally
        },
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all(watching)
      routes.stop()
      await transport.stop()
    },
  }
}

/** Inserts workspaces until there are enough of different partitions for each actor. Returns these, each with its partition. */
async function insertWorkspaces(query: Query, actors: readonly string[]): Promise<[partition: number, id: string][]> {
  const placement = makePlacement(actors)
  const byPartition = new Map<number, string>()
  const left = new Map(actors.map((name) => [name, workspacesOfEachActor]))
  while ([...left.values()].some((count) => count > 0)) {
    const id = await insertWorkspaceRow(query)
    const partition = partitionOf(id)
    const [owner = ''] = placement.rank(partition)
    const count = left.get(owner) ?? 0
    if (count === 0 || byPartition.has(partition)) continue
    left.set(owner, count - 1)
    byPartition.set(partition, id)
  }
  return [...byPartition]
}
