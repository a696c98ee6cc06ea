// Slots that owners share by the cost of their work: an owner that asks for much work, or for long work, delays its own work and not
// that of others.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'

export type FairTurnsOptions = {
  readonly slots: number
  /** The number of callers of all owners that may wait. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly clock?: { now(): number }
}

export type FairTurns = {
  /**
   * Runs the work when a slot is free and it is the owner's turn. Throws Outage after `maxWaitMs`. If too many callers wait, the newest caller
   * of the owner with the most waiting callers gets the Outage, even if another owner called last. `costMs` returns the cost of the work from
   * its result. The cost is not measured by the clock, since all work would seem slow on a machine that is busy with other things. Work that
   * fails costs the time until it failed. If `cut` is aborted before the work begins, throws its reason at once.
   */
  run<T>(owner: string, work: () => Promise<T>, costMs: (result: T) => number, cut?: AbortSignal): Promise<T>
  /** The number of callers that wait for a slot. */
  waiting(): number
}

type Waiting = { readonly begin: () => void; readonly refuse: (why: Error) => void }

type Owner = {
  readonly waiting: Waiting[]
  running: number
  /** Virtual time: the cost of its finished work plus the expected cost of its running work. */
  usedMs: number
  /** The cost of its last work: the expected cost of the next. */
  expectedMs: number
  /** At `slowAtMs`, the sum of what its work cost above `longMs`, less what was forgotten until then. It decays from then on. */
  slownessMs: number
  slowAtMs: number
  /** When its first work ended; infinite before that. */
  knownAtMs: number
}

type Arrival = { readonly owner: Owner | null; readonly atMs: number }

const nobody: Arrival = { owner: null, atMs: Number.NEGATIVE_INFINITY }

const maxOwners = 10_000
/** The minimum charge for any work: the CPU time of small work may be measured as 0. */
const leastCostMs = 0.1
/** Work that costs more is too long. A decode thread reads some 2,000 ordinary spans in this time. */
const longMs = 50
/** An owner with more slowness is slow. The first work of a thread, whose code is still being compiled, stays below it. */
const allowedSlownessMs = 300
/** Slowness decays by this share of the elapsed time: the most of all time for which an owner can hold every slot without being slow. */
const forgottenShare = 0.02
/** The cap on slowness: an owner is not slow any more a minute after its last long work. */
const maxSlownessMs = allowedSlownessMs + 60_000 * forgottenShare
/** How long one slot is kept free of slow work after another owner that is not slow has called. */
const keptMs = 60_000
/** How long after its first work an owner is new. Quick work alone proves nothing: the next work may be long. */
const newMs = 60_000
/** How long no owner holds every slot after another owner that is not slow has called. */
const sharedMs = 1_000

/**
 * A free slot goes to the waiting owner whose work has cost the least so far (start-time fair queueing). Small requests thus wait only for
 * work that is already running, however many large requests of another owner are waiting.
 * Running work cannot be stopped, so turns do not help while the work of others holds every slot. Therefore, if another owner that is not
 * slow has called within `sharedMs`, an owner may hold one slot less than there are; and if it has called within `keptMs`, so may all slow
 * owners together. If it is not new either, new owners count as slow: otherwise a client that makes owner after owner, each for one long
 * work, could always hold every slot. An owner without finished work gets one slot until its first work has ended.
 */
export function makeFairTurns({ slots, maxWaiting, maxWaitMs, clock = performance }: FairTurnsOptions): FairTurns {
  const owners = new LRUCache<string, Owner>({ max: maxOwners })
  /** The waiting owners. Of two that have used the same, the first in this set goes first. */
  const turns = new Set<Owner>()
  /** The virtual time of the work that began last. An owner that was idle continues from here, so that idle time earns no credit. */
  let virtualMs = 0
  const busy = new Set<Owner>()
  let running = 0
  let waiting = 0
  /** The two owners that called last without being slow, and when. */
  let last = nobody
  let before = nobody
  /** When an owner last called that is neither slow nor new. */
  let provenAtMs = Number.NEGATIVE_INFINITY

  function ownerOf(id: string): Owner {
    const known = owners.get(id)
    if (known !== undefined) return known
    const owner: Owner = {
      waiting: [],
      running: 0,
      usedMs: 0,
      expectedMs: leastCostMs,
      slownessMs: 0,
      slowAtMs: 0,
      knownAtMs: Number.POSITIVE_INFINITY,
    }
    owners.set(id, owner)
    return owner
  }

  function noteQuick(owner: Owner, atMs: number): void {
    if (last.owner !== owner) before = last
    last = { owner, atMs }
    if (!isNew(owner, atMs)) provenAtMs = atMs
  }

  const countsAsSlow = (owner: Owner, nowMs: number): boolean =>
    isSlow(owner, nowMs) || (isNew(owner, nowMs) && nowMs - provenAtMs < keptMs)

  function mayBegin(owner: Owner, nowMs: number): boolean {
    if (running >= slots) return false
    const other = last.owner === owner ? before : last
    const mostWithin = (ms: number): number => Math.max(1, slots - (nowMs - other.atMs < ms ? 1 : 0))
    if (countsAsSlow(owner, nowMs) && countSlow(nowMs) >= mostWithin(keptMs)) return false
    return owner.running < (isKnown(owner) ? mostWithin(sharedMs) : 1)
  }

  function countSlow(nowMs: number): number {
    let slow = 0
    for (const owner of busy) if (countsAsSlow(owner, nowMs)) slow += owner.running
    return slow
  }

  /** Charges the expected cost and returns it: the true cost is known at the end, and other work of the owner may begin before that. */
  function begin(owner: Owner): number {
    running++
    owner.running++
    busy.add(owner)
    virtualMs = Math.max(virtualMs, owner.usedMs)
    owner.usedMs += owner.expectedMs
    return owner.expectedMs
  }

  function end(owner: Owner, expectedMs: number, costMs: number): void {
    const nowMs = clock.now()
    running--
    owner.running--
    owner.expectedMs = Math.max(costMs, leastCostMs)
    owner.usedMs += owner.expectedMs - expectedMs
    if (owner.running === 0) busy.delete(owner)
    if (!isKnown(owner)) owner.knownAtMs = nowMs
    const tooLongMs = costMs - longMs
    if (tooLongMs > 0) {
      owner.slownessMs = Math.min(slownessOf(owner, nowMs) + tooLongMs, maxSlownessMs)
      owner.slowAtMs = nowMs
    }
    giveTurns(nowMs)
  }

  function giveTurns(nowMs: number): void {
    for (let next = nextOwner(nowMs); next !== undefined; next = nextOwner(nowMs)) beginNext(next)
  }

  function nextOwner(nowMs: number): Owner | undefined {
    let next: Owner | undefined
    for (const owner of turns) {
      if (next !== undefined && owner.usedMs >= next.usedMs) continue
      if (mayBegin(owner, nowMs)) next = owner
    }
    return next
  }

  function beginNext(owner: Owner): void {
    const next = owner.waiting[0] as Waiting
    leave(owner, next)
    // An owner that still waits moves behind the others.
    turns.delete(owner)
    if (owner.waiting.length > 0) turns.add(owner)
    next.begin()
  }

  function leave(owner: Owner, who: Waiting): void {
    owner.waiting.splice(owner.waiting.indexOf(who), 1)
    waiting--
    if (owner.waiting.length === 0) turns.delete(owner)
  }

  /** Makes room for one more caller of this owner by refusing the newest caller of the owner with the most waiting callers. */
  function makeRoom(owner: Owner): void {
    if (waiting < maxWaiting) return
    const most = [...turns].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one), owner)
    const newest = most === owner ? undefined : most.waiting.at(-1)
    if (newest === undefined) throw new Outage('limit', tooMany)
    leave(most, newest)
    newest.refuse(new Outage('limit', tooMany))
  }

  /** Resolves when the caller has its slot, with the expected cost that was charged. */
  function wait(owner: Owner, cut: AbortSignal | undefined): Promise<number> {
    makeRoom(owner)
    return new Promise((done, fail) => {
      const giveUp = (why: Error): void => {
        leave(owner, who)
        who.refuse(why)
      }
      const timer = setTimeout(() => giveUp(new Outage('limit', 'no slot became free in time')), maxWaitMs)
      const onCut = (): void => giveUp(cut?.reason as Error)
      const settle = (): void => {
        clearTimeout(timer)
        cut?.removeEventListener('abort', onCut)
      }
      const who: Waiting = {
        begin() {
          settle()
          done(begin(owner))
        },
        refuse(why) {
          settle()
          fail(why)
        },
      }
      cut?.addEventListener('abort', onCut)
      owner.waiting.push(who)
      turns.add(owner)
      waiting++
    })
  }

  return {
    async run(id, work, costMs, cut) {
      cut?.throwIfAborted()
      const owner = ownerOf(id)
      const nowMs = clock.now()
      // A slot that was left free for another owner may be used again.
      giveTurns(nowMs)
      if (!isSlow(owner, nowMs)) noteQuick(owner, nowMs)
      if (owner.waiting.length === 0 && owner.running === 0) owner.usedMs = Math.max(owner.usedMs, virtualMs)
      const expectedMs = owner.waiting.length === 0 && mayBegin(owner, nowMs) ? begin(owner) : await wait(owner, cut)
      const startedAtMs = clock.now()
      let cost: number | undefined
      try {
        cut?.throwIfAborted()
        const result = await work()
        cost = costMs(result)
        return result
      } finally {
        end(owner, expectedMs, cost ?? clock.now() - startedAtMs)
      }
    },
    waiting: () => waiting,
  }
}

const isKnown = ({ knownAtMs }: Owner): boolean => Number.isFinite(knownAtMs)

const isNew = ({ knownAtMs }: Owner, nowMs: number): boolean => nowMs - knownAtMs < newMs

const isSlow = (owner: Owner, nowMs: number): boolean => slownessOf(owner, nowMs) > allowedSlownessMs

const slownessOf = ({ slownessMs, slowAtMs }: Owner, nowMs: number): number =>
  Math.max(0, slownessMs - (nowMs - slowAtMs) * forgottenShare)

const tooMany = 'too many callers are waiting'
