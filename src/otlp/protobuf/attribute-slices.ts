// The attributes of a span whose texts stay bytes of the request until somebody asks for them: most are only stored.
import type { Names } from '../names.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import type { Shape } from './key-book.ts'
import { readKnownText, type TextCache } from './text-cache.ts'

const noShape: Shape = { keyIds: [], keys: [], places: new Map(), found: [], isPlain: {} }

/**
 * One for all requests of a thread: it shows the attributes of the span that was read last, and must not be kept any longer. A class,
 * since its fields are what the loops over attributes read.
 */
export class AttributeSlices implements Attributes {
  readonly cache: TextCache
  shape: Shape = noShape
  size = 0
  /** Undefined where the value is text that nobody has asked for. These hold `size` entries, and older ones behind them. */
  readonly values: (AttributeValue | undefined)[] = []
  /** Where the text of each value stands; 0 for what is no text. */
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
