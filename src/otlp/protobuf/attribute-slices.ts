// Floor 1. The attributes of a span whose texts stay bytes of the request until somebody asks for them: most are only stored.
import type { Attributes, AttributeValue } from '../span.ts'
import type { Shape } from './key-book.ts'
import { readKnownText, type TextCache } from './text-cache.ts'

/** A class, since one is made for every span: closures would cost more than the rest of it. */
export class AttributeSlices implements Attributes {
  readonly cache: TextCache
  readonly shape: Shape
  /** Undefined where the value is text that nobody has asked for. */
  readonly values: (AttributeValue | undefined)[]
  /** Where the text of each value stands; 0 for what is no text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]

  constructor(
    cache: TextCache,
    shape: Shape,
    values: (AttributeValue | undefined)[],
    starts: readonly number[],
    ends: readonly number[],
  ) {
    this.cache = cache
    this.shape = shape
    this.values = values
    this.starts = starts
    this.ends = ends
  }

  get size(): number {
    return this.values.length
  }

  has(key: string): boolean {
    return this.shape.places.has(key)
  }

  get(key: string): AttributeValue | undefined {
    const place = this.shape.places.get(key)
    return place === undefined ? undefined : this.at(place)
  }

  among(names: readonly string[]): readonly string[] {
    const { found, places } = this.shape
    const before = found.get(names)
    if (before !== undefined) return before
    const present = names.filter((name) => places.has(name))
    found.set(names, present)
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
