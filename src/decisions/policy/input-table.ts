// The inputs of a subject, each with a slot in the columns of the policies. Bounded: the least recently executed input is evicted.

/** Of one rule: the most inputs that its ladder keeps, that it serves and that SDKs hold. */
export const maxInputs = 4_096

// Bytes of a text in a Map: header, 71 characters, entry.
const bytesAnInput = 160

export class InputTable {
  /** Ordered by last execution, oldest first. */
  private readonly slots = new Map<string, number>()

  find(inputHash: string): number {
    return this.slots.get(inputHash) ?? -1
  }

  /**
   * Returns the slot of an input that was executed just now. If another input is evicted for it, `onEvicted` is called with its slot, which
   * is then the returned one.
   */
  touch(inputHash: string, onEvicted: (slot: number) => void): number {
    const known = this.slots.get(inputHash)
    if (known !== undefined) {
      this.slots.delete(inputHash)
      this.slots.set(inputHash, known)
      return known
    }
    const slot = this.slots.size < maxInputs ? this.slots.size : this.evict(onEvicted)
    this.slots.set(inputHash, slot)
    return slot
  }

  private evict(onEvicted: (slot: number) => void): number {
    const [oldest] = this.slots
    if (oldest === undefined) throw new Error('an empty table has nothing to evict')
    this.slots.delete(oldest[0])
    onEvicted(oldest[1])
    return oldest[1]
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, number]> {
    return this.slots.entries()
  }

  get size(): number {
    return this.slots.size
  }

  bytes(): number {
    return this.slots.size * bytesAnInput
  }
}
