// Batches that wait for their commit, by workspace. Decides which batches form the next group, and whose are refused when memory is short.
import { type Batch, batchBytes, rowCount } from './batch.ts'

export type WaitingBatch<T> = {
  readonly batch: Batch
  readonly bytes: number
  /** The number of rows, or the size of the batch divided by that of an ordinary row, whichever is larger. At least 1. */
  readonly weight: number
  readonly sinceMs: number
  readonly caller: T
}

/**
 * `small`: few rows of the workspace wait or are being committed. `large`: every other workspace. The two classes never share a
 * transaction, so that a small request does not wait until the rows of a large sender are written.
 */
export type GroupClass = 'small' | 'large'

export type Group<T> = {
  readonly batches: readonly WaitingBatch<T>[]
  /** The weight of each workspace in the group. */
  readonly weights: ReadonlyMap<string, number>
}

export type CommitQueue<T> = {
  add(batch: Batch, nowMs: number, caller: T): void
  /** Total weight of the waiting batches of the class. */
  weight(groupClass: GroupClass): number
  /** When the first batch of the class is due; null: none waits. `dueMs` returns when a batch that waits since `sinceMs` is due. */
  firstDueMs(groupClass: GroupClass, dueMs: (sinceMs: number, isCommitting: boolean) => number): number | null
  /** Removes a group of one class from the queue. Its workspaces count as committing until `end` is called with the group. */
  takeGroup(groupClass: GroupClass): Group<T>
  end(group: Group<T>): void
  /** The arrival time of the batch that has waited longest; null: none waits. */
  oldestMs(): number | null
  /** Removes the batches that arrived at this time or before. */
  takeUntil(sinceMs: number): WaitingBatch<T>[]
  /** Removes the newest batch of the workspace with the most waiting bytes; null if, with `batch`, its own sender has the most. */
  takeFromLargest(batch: Batch): WaitingBatch<T> | null
}

type Owner<T> = {
  readonly workspaceId: string
  readonly waiting: WaitingBatch<T>[]
  weight: number
  bytes: number
  /** Number of running commits that contain rows of this workspace. `committingWeight` is the weight of these rows. */
  committing: number
  committingWeight: number
}

/** A workspace above this share of a group's weight is large, e.g. one that sends a full exporter request of 512 rows. */
const smallShare = 1 / 32
/** Larger than an ordinary row with its attributes. */
const bytesPerRow = 4_096
/** By how much the weights of the workspaces of a group may differ, in addition to the size of one batch. */
const levelWeight = 512

/** Returns an empty queue. A group is complete when it reaches `groupWeight`. */
export function openCommitQueue<T>(groupWeight: number): CommitQueue<T> {
  const owners = new Map<string, Owner<T>>()
  /** Owners with a waiting batch, in the order in which their turns come. */
  const classes = { small: new Set<Owner<T>>(), large: new Set<Owner<T>>() }
  const weights = { small: 0, large: 0 }
  /** All waiting batches, in the order of arrival. */
  const all = new Set<WaitingBatch<T>>()

  const classOf = (owner: Owner<T>): GroupClass =>
    owner.weight + owner.committingWeight <= groupWeight * smallShare ? 'small' : 'large'

  function ownerOf(workspaceId: string): Owner<T> {
    const known = owners.get(workspaceId)
    if (known !== undefined) return known
    const owner: Owner<T> = { workspaceId, waiting: [], weight: 0, bytes: 0, committing: 0, committingWeight: 0 }
    owners.set(workspaceId, owner)
    return owner
  }

  /** Applies a change to an owner, then files it under its resulting class. */
  function change<Result>(owner: Owner<T>, make: () => Result): Result {
    const before = classOf(owner)
    weights[before] -= owner.weight
    const result = make()
    const after = classOf(owner)
    weights[after] += owner.weight
    if (before !== after || owner.waiting.length === 0) classes[before].delete(owner)
    if (owner.waiting.length > 0) classes[after].add(owner)
    else if (owner.committing === 0) owners.delete(owner.workspaceId)
    return result
  }

  function remove(owner: Owner<T>, at: number): WaitingBatch<T> {
    const [waiting] = owner.waiting.splice(at, 1) as [WaitingBatch<T>]
    owner.weight -= waiting.weight
    owner.bytes -= waiting.bytes
    all.delete(waiting)
    return waiting
  }

  function addCommitting(owner: Owner<T>, groups: number, weight: number): void {
    owner.committing += groups
    owner.committingWeight += weight
  }

  return {
    add(batch, nowMs, caller) {
      const bytes = batchBytes(batch)
      const weight = Math.max(1, rowCount(batch), Math.ceil(bytes / bytesPerRow))
      const waiting = { batch, bytes, weight, sinceMs: nowMs, caller }
      const owner = ownerOf(batch.workspaceId)
      all.add(waiting)
      change(owner, () => {
        owner.waiting.push(waiting)
        owner.weight += weight
        owner.bytes += bytes
      })
    },

    weight: (groupClass) => weights[groupClass],

    firstDueMs(groupClass, dueMs) {
      let first: number | null = null
      for (const { waiting, committing } of classes[groupClass]) {
        const due = dueMs((waiting[0] as WaitingBatch<T>).sinceMs, committing > 0)
        if (first === null || due < first) first = due
      }
      return first
    },

    takeGroup(groupClass) {
      const batches: WaitingBatch<T>[] = []
      const taken = new Map([...classes[groupClass]].map((owner) => [owner, 0]))
      let weight = 0
      // If the group is too small for all, each owner gets an equal part. After a batch that is larger, an owner waits longer for its next.
      for (let level = 0; taken.size > 0 && weight < groupWeight; level += levelWeight) {
        for (const [owner, before] of taken) {
          let own = before
          while (own <= level && owner.waiting.length > 0 && weight < groupWeight) {
            const waiting = change(owner, () => remove(owner, 0))
            batches.push(waiting)
            own += waiting.weight
            weight += waiting.weight
          }
          if (owner.waiting.length === 0) taken.delete(owner)
          else taken.set(owner, own)
        }
      }
      const weights = new Map<string, number>()
      for (const { batch, weight: own } of batches)
        weights.set(batch.workspaceId, (weights.get(batch.workspaceId) ?? 0) + own)
      for (const [workspaceId, own] of weights) {
        const owner = ownerOf(workspaceId)
        change(owner, () => addCommitting(owner, 1, own))
        // Requeue behind the owners for which this group had no room.
        const waiting = classes[classOf(owner)]
        if (waiting.delete(owner)) waiting.add(owner)
      }
      return { batches, weights }
    },

    end({ weights: ended }) {
      for (const [workspaceId, own] of ended) {
        const owner = ownerOf(workspaceId)
        change(owner, () => addCommitting(owner, -1, -own))
      }
    },

    oldestMs: () => all.values().next().value?.sinceMs ?? null,

    takeUntil(sinceMs) {
      const overdue: WaitingBatch<T>[] = []
      for (const waiting of all) {
        if (waiting.sinceMs > sinceMs) break
        const owner = ownerOf(waiting.batch.workspaceId)
        change(owner, () => overdue.push(remove(owner, 0)))
      }
      return overdue
    },

    takeFromLargest(batch) {
      const own = (owners.get(batch.workspaceId)?.bytes ?? 0) + batchBytes(batch)
      let largest: Owner<T> | null = null
      for (const owner of owners.values()) if (owner.bytes > (largest?.bytes ?? own)) largest = owner
      const owner = largest
      return owner === null ? null : change(owner, () => remove(owner, owner.waiting.length - 1))
    },
  }
}
