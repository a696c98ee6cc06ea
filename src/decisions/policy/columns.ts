// The newest execution of each input, as columns. Slots are those of the input table. Columns grow by doubling.
import { unknownContent } from './fingerprint.ts'

const firstSlots = 8
export const neverUs = -1

export type Seen = { readonly startUs: number; readonly endUs: number; readonly content: number }

export class SeenColumns {
  startUs = new Float64Array(firstSlots).fill(neverUs)
  endUs = new Float64Array(firstSlots).fill(neverUs)
  /** A fingerprint, or a code below 0 if there is nothing to serve. */
  content = new Float64Array(firstSlots).fill(unknownContent)

  /** Makes room for a slot. */
  reserve(slot: number): void {
    const from = this.endUs.length
    if (slot < from) return
    const length = Math.max(from * 2, slot + 1)
    this.startUs = grow(this.startUs, new Float64Array(length).fill(neverUs))
    this.endUs = grow(this.endUs, new Float64Array(length).fill(neverUs))
    this.content = grow(this.content, new Float64Array(length).fill(unknownContent))
  }

  set(slot: number, seen: Seen): void {
    this.startUs[slot] = seen.startUs
    this.endUs[slot] = seen.endUs
    this.content[slot] = seen.content
  }

  get(slot: number): Seen {
    return { startUs: this.startUs[slot]!, endUs: this.endUs[slot]!, content: this.content[slot]! }
  }

  clear(slot: number): void {
    this.set(slot, { startUs: neverUs, endUs: neverUs, content: unknownContent })
  }

  bytes(): number {
    return this.startUs.byteLength + this.endUs.byteLength + this.content.byteLength
  }
}

/** Copies the shorter array into the longer one and returns the latter. */
export function grow<T extends Float64Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}
