// Floor 2. Slots shared by owner in turns: whoever asks for much, or for what takes long, waits behind itself and not before others.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'

export type FairTurnsOptions = {
  readonly slots: number
  /** Callers that may wait, of all owners together. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly clock?: { now(): number }
}

export type FairTurns = {
  /**
   * Runs the work when a slot is free and it is the owner's turn. Throws Outage after the longest wait, or where too many wait: then it
   * meets the owner of most of them, from its newest on, whoever came last.
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
  /** Callers that wait for a slot. */
  waiting(): number
}

type Waiting = { readonly begin: () => void; readonly refuse: (why: string) => void }

type Owner = {
  readonly waiting: Waiting[]
  /** When each of its work that is running began, the oldest first. */
  readonly running: number[]
  /** For how long its work has held slots too long, less what is forgotten since `slowAtMs`. */
  slownessMs: number
  slowAtMs: number
  /** Some of its work has ended, so that there is something to judge it by. */
  isKnown: boolean
}

type Came = { readonly owner: Owner | null; readonly atMs: number }

const nobody: Came = { owner: null, atMs: Number.NEGATIVE_INFINITY }

const maxOwners = 10_000
/** Work that takes longer holds its slot too long; a decode thread reads some 5,000 ordinary spans in this time. */
const longMs = 50
/** An owner is slow above this. The first work of a thread, which is still being compiled, stays below it. */
const allowedSlownessMs = 300
/** Of all time: what an owner that is not slow can hold every slot at the most. */
const forgottenShare = 0.02
/** All is forgotten after a minute. */
const maxSlownessMs = allowedSlownessMs + 60_000 * forgottenShare
/** For so long a slot is kept free for an owner that has come. */
const keptMs = 60_000

/**
 * Owners that wait take turns. Work cannot be stopped, so that a turn is worth nothing while slow work holds every slot: where another
 * owner, whose work is quick, has come lately, the slow ones hold, all together, one slot less than there are. One that nothing is known
 * of has one slot until its first work has ended.
 */
export function makeFairTurns({ slots, maxWaiting, maxWaitMs, clock = performance }: FairTurnsOptions): FairTurns {
  const owners = new LRUCache<string, Owner>({ max: maxOwners })
  /** Those that wait, in the order of their turns. */
  const turns = new Set<Owner>()
  const busy = new Set<Owner>()
  let running = 0
  let waiting = 0
  /** The two quick owners that came last, and when. */
  let last = nobody
  let before = nobody

  function ownerOf(id: string): Owner {
    const known = owners.get(id)
    if (known !== undefined) return known
    const owner: Owner = { waiting: [], running: [], slownessMs: 0, slowAtMs: 0, isKnown: false }
    owners.set(id, owner)
    return owner
  }

  function isSlow(owner: Owner, nowMs: number): boolean {
    const [oldest] = owner.running
    return slownessOf(owner, nowMs) > allowedSlownessMs || (oldest !== undefined && nowMs - oldest > longMs)
  }

  function noteQuick(owner: Owner, atMs: number): void {
    if (last.owner !== owner) before = last
    last = { owner, atMs }
  }

  function mayBegin(owner: Owner, nowMs: number): boolean {
    if (running >= slots) return false
    if (!isSlow(owner, nowMs)) return owner.isKnown || owner.running.length === 0
    const other = last.owner === owner ? before : last
    const kept = nowMs - other.atMs < keptMs ? 1 : 0
    return countSlow(nowMs) < Math.max(1, slots - kept)
  }

  function countSlow(nowMs: number): number {
    let slow = 0
    for (const owner of busy) if (isSlow(owner, nowMs)) slow += owner.running.length
    return slow
  }

  function begin(owner: Owner, nowMs: number): void {
    running++
    owner.running.push(nowMs)
    busy.add(owner)
  }

  function end(owner: Owner, beganAtMs: number): void {
    const nowMs = clock.now()
    running--
    owner.running.splice(owner.running.indexOf(beganAtMs), 1)
    if (owner.running.length === 0) busy.delete(owner)
    owner.isKnown = true
    const tooLongMs = nowMs - beganAtMs - longMs
    if (tooLongMs > 0) {
      owner.slownessMs = Math.min(slownessOf(owner, nowMs) + tooLongMs, maxSlownessMs)
      owner.slowAtMs = nowMs
    }
    for (let next = nextOwner(nowMs); next !== undefined; next = nextOwner(nowMs)) beginNext(next)
  }

  function nextOwner(nowMs: number): Owner | undefined {
    for (const owner of turns) if (mayBegin(owner, nowMs)) return owner
    return undefined
  }

  function beginNext(owner: Owner): void {
    const next = owner.waiting[0] as Waiting
    leave(owner, next)
    // Behind the others, if it still waits.
    turns.delete(owner)
    if (owner.waiting.length > 0) turns.add(owner)
    next.begin()
  }

  function leave(owner: Owner, who: Waiting): void {
    owner.waiting.splice(owner.waiting.indexOf(who), 1)
    waiting--
    if (owner.waiting.length === 0) turns.delete(owner)
  }

  /** Room for one more of this owner, made by refusing the newest of whoever has most waiting. */
  function makeRoom(owner: Owner): void {
    if (waiting < maxWaiting) return
    const most = [...turns].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one), owner)
    const newest = most === owner ? undefined : most.waiting.at(-1)
    if (newest === undefined) throw new Outage(tooMany)
    leave(most, newest)
    newest.refuse(tooMany)
  }

  /** Resolves with the time at which the caller has its slot. */
  function wait(owner: Owner): Promise<number> {
    makeRoom(owner)
    return new Promise<number>((done, fail) => {
      const timer = setTimeout(() => {
        leave(owner, who)
        who.refuse('no slot became free in time')
      }, maxWaitMs)
      const who: Waiting = {
        begin() {
          clearTimeout(timer)
          const nowMs = clock.now()
          begin(owner, nowMs)
          done(nowMs)
        },
        refuse(why) {
          clearTimeout(timer)
          fail(new Outage(why))
        },
      }
      owner.waiting.push(who)
      turns.add(owner)
      waiting++
    })
  }

  return {
    async run(id, work) {
      const owner = ownerOf(id)
      const nowMs = clock.now()
      if (!isSlow(owner, nowMs)) noteQuick(owner, nowMs)
      const mayBeginNow = owner.waiting.length === 0 && mayBegin(owner, nowMs)
      if (mayBeginNow) begin(owner, nowMs)
      const beganAtMs = mayBeginNow ? nowMs : await wait(owner)
      try {
        return await work()
      } finally {
        end(owner, beganAtMs)
      }
    },
    waiting: () => waiting,
  }
}

const slownessOf = ({ slownessMs, slowAtMs }: Owner, nowMs: number): number =>
  Math.max(0, slownessMs - (nowMs - slowAtMs) * forgottenShare)

const tooMany = 'too many callers are waiting'
