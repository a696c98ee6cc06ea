// The times at which a policy would have served each input, for calls that become known after later ones: senders deliver with delays, and
// by then the newest execution is no longer the one whose result would have been served. Pure.
import { type Seen, SeenColumns } from './columns.ts'

/** An earlier time of serving: from the end of `first` until `untilUs`, or until the result of `last` was too old. */
export type ServedTime = { readonly first: Seen; readonly last: Seen; readonly untilUs: number }

/** An earlier time of serving is forgotten once an execution has ended this much later. */
const rememberedUs = 600_000_000

export class ServedTimes {
  /** The execution since whose end the present result of the input has been served; without an end: the input is not served. */
  readonly since = new SeenColumns()
  /** The time of serving before the present one, by slot. */
  readonly past = new Map<number, ServedTime>()

  /**
   * Records that the newest execution of an input is `now` instead of `before`. `isServed`: the input is served now. `goesOn`: with the
   * same result as before, and without a considerable interruption.
   */
  follow(slot: number, before: Seen, now: Seen, isServed: boolean, goesOn: boolean): void {
    const first = this.since.endUs[slot] ?? -1
    if (first >= 0 && isServed && goesOn) return
    if (first < 0 && !isServed) return
    this.since.reserve(slot)
    if (first >= 0) this.past.set(slot, { first: this.since.get(slot), last: before, untilUs: now.endUs })
    if (isServed) this.since.set(slot, now)
    else this.since.clear(slot)
  }

  /**
   * Returns an execution whose result would have been served at `atUs`, which is before `newestUs`, the end of the newest known execution:
   * the last one of that time of serving if it had ended by then, otherwise the first one. All have the same result. Null: there is none.
   */
  find(slot: number, atUs: number, newestUs: number, ageUs: number): Seen | null {
    const sinceUs = this.since.endUs[slot] ?? -1
    if (sinceUs >= 0 && sinceUs <= atUs) return this.since.get(slot)
    const past = this.recall(slot, newestUs)
    if (past === null || atUs < past.first.endUs || atUs >= past.untilUs) return null
    if (atUs < past.last.endUs) return past.first
    return atUs - past.last.endUs < ageUs ? past.last : null
  }

  /** Returns the earlier time of serving unless it is too long ago. */
  recall(slot: number, newestUs: number): ServedTime | null {
    const past = this.past.get(slot)
    return past !== undefined && newestUs - past.untilUs < rememberedUs ? past : null
  }

  /** Records that a late call has contradicted the present result. */
  end(slot: number): void {
    this.since.clear(slot)
  }

  /** Forgets an input. */
  clear(slot: number): void {
    if (slot < this.since.endUs.length) this.since.clear(slot)
    this.past.delete(slot)
  }

  bytes(): number {
    return this.since.bytes() + this.past.size * bytesATime
  }
}

// Three objects and an entry of the map.
const bytesATime = 200
