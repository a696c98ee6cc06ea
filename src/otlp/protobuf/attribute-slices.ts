// The attributes of a span as slices of the request. Texts are decoded only when they are read: most are only stored.
import type { Names } from '../../event/names.ts'
import type { Attributes, AttributeValue } from '../../event/span.ts'
import type { Shape } from './key-book.ts'
import { readKnownText, type TextCache } from './text-cache.ts'

const noShape: Shape = { keyIds: [], keys: [], places: new Map(), found: [], isPlain: {} }

/**
 * One instance serves all requests of a thread: it contains the attributes of the span that was read last, and must not be used after the
 * next span was read. It is a class for the speed of the loops that read its fields.
 */
export class AttributeSlices implements Attributes {
  readonly cache: TextCache
  shape: Shape = noShape
  size = 0
  /** Undefined for a text that was not decoded yet. This array and the next two have `size` valid entries, followed by stale ones. */
  readonly values: (AttributeValue | undefined)[] = []
  /** The bounds of the text of each value in the request; 0 for other values. */
  readonly starts: number[] = []
  readonly ends: number[] = []

  constructor(cache: TextCache) {
    this.cache = cache
  }

  add(value: AttributeValue | undefined, start: number, end: number): void {
    this.values[this.size] = value
    this.starts[this.size] = start
    this.ends[this.size] = end
    this.size++
  }

  has(key: string): boolean {
    return this.shape.places.has(key)
  }

  get(key: string | number): AttributeValue | undefined {
    const place = typeof key === 'number' ? key : this.shape.places.get(key)
    return place === undefined ? undefined : this.at(place)
  }

  among({ id, all }: Names): readonly number[] {
    const { found, places } = this.shape
    const before = found[id]
    if (before !== undefined) return before
    const present = all.flatMap((name) => places.get(name) ?? [])
    found[id] = present
    return present
  }

  *[Symbol.iterator](): IterableIterator<[string, AttributeValue]> {
    for (const [key, place] of this.shape.places) yield [key, this.at(place)]
  }

  keyAt(place: number): string {
    return this.shape.keys[place] as string
  }

  at(place: number): AttributeValue {
    const known = this.values[place]
    if (known !== undefined) return known
    const text = readKnownText(this.cache, this.starts[place] as number, this.ends[place] as number)
    this.values[place] = text
    return text
  }
}
