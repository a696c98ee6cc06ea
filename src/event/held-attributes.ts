// The attributes of a resource. Each of its spans looks up the same names.
import type { Names } from './names.ts'
import type { AttributeValue } from './span.ts'

/** A Map that caches which names are present. */
export class HeldAttributes extends Map<string, AttributeValue> {
  readonly #found: (readonly string[] | undefined)[] = []

  override set(key: string, value: AttributeValue): this {
    this.#found.length = 0
    return super.set(key, value)
  }

  among({ id, all }: Names): readonly string[] {
    const before = this.#found[id]
    if (before !== undefined) return before
    const present = all.filter((name) => this.has(name))
    this.#found[id] = present
    return present
  }
}
