// The arbiter in memory: the same guarantees as the database's, with faults on demand.
import type { EpochStore } from '../../../src/actors/owner/epoch-store.ts'
import { partitionCount } from '../../../src/actors/partition.ts'
import type { PartitionRow } from '../../../src/actors/partition-table.ts'
import { Outage } from '../../../src/base/fault.ts'

export type MemoryEpochs = {
  /** The store as one member sees it. */
  storeOf(member: string): EpochStore
  row(pid: number): PartitionRow
  rows(): PartitionRow[]
  setAway(member: string, isAway: boolean): void
  isAway(member: string): boolean
  /** The member's next claim or release takes effect, but its answer is lost. */
  loseNextAnswer(member: string): void
  /** Replaces all rows by an earlier copy. */
  restore(rows: readonly PartitionRow[]): void
  /** Every claim that took effect, as `pid:epoch`. */
  readonly claims: readonly string[]
}

/** `wait`: the delay of each request and of each answer. */
export function makeMemoryEpochs(wait: () => Promise<void> = () => Promise.resolve()): MemoryEpochs {
  let rows: PartitionRow[] = Array.from({ length: partitionCount }, (_, pid) => free(pid, 0))
  const away = new Set<string>()
  const losing = new Set<string>()
  const claims: string[] = []

  const row = (pid: number): PartitionRow => rows[pid] ?? free(pid, 0)
  function reach(member: string): void {
    if (away.has(member)) throw new Outage('failure', 'away')
  }
  function answer(member: string): void {
    if (losing.delete(member)) throw new Outage('failure', 'the answer was lost')
  }

  return {
    storeOf: (member) => ({
      async list() {
        reach(member)
        await wait()
        const read = [...rows]
        await wait()
        return read
      },
      async claim(owner, boot, wanted) {
        reach(member)
        await wait()
        const won = wanted.filter(({ pid, epoch }) => row(pid).epoch === epoch)
        const parts = won.map(({ pid, epoch, highest }) => [pid, Math.max(epoch, highest) + 1] as const)
        for (const [pid, epoch] of parts) {
          rows[pid] = { pid, epoch, owner, boot }
          claims.push(`${pid}:${epoch}`)
        }
        await wait()
        answer(member)
        return parts
      },
      async release(boot, owned) {
        reach(member)
        await wait()
        for (const [pid, epoch] of owned)
          if (row(pid).epoch === epoch && row(pid).boot === boot) rows[pid] = free(pid, epoch)
        await wait()
        answer(member)
      },
    }),
    row,
    rows: () => [...rows],
    setAway: (member, isAway) => void (isAway ? away.add(member) : away.delete(member)),
    isAway: (member) => away.has(member),
    loseNextAnswer: (member) => void losing.add(member),
    restore: (before) => {
      rows = [...before]
    },
    claims,
  }
}

const free = (pid: number, epoch: number): PartitionRow => ({ pid, epoch, owner: null, boot: null })
