// Decides which attributes of a span, event, link, resource or scope are kept, in either encoding.

import { HeldAttributes } from '../../event/held-attributes.ts'
import type { AttributeMap } from '../../event/span.ts'
import { isContentAttribute } from '../../redact/content-attributes.ts'
import { type DecodeContext, spendNested } from './clean.ts'
import type { IngestLimits } from './limits.ts'
import { Malformed } from './malformed.ts'

export type AttributeHolder = 'span' | 'event' | 'link' | 'resource' | 'scope'

/** `nested`: the attributes of an event or link, which count towards the request's limit of nested values. */
export type AttributeBag = {
  readonly map: AttributeMap
  readonly holder: AttributeHolder
  readonly nested: boolean
  dropped: number
  seen: number
}

const ciphertextKey = 'tracewright.tool.ciphertext'

const holderWords: Readonly<Record<AttributeHolder, string>> = {
  span: 'The span',
  event: 'An event of the span',
  link: 'A link of the span',
  resource: 'The resource',
  scope: 'The scope',
}

export const openBag = (holder: AttributeHolder): AttributeBag => ({
  map: holder === 'resource' ? new HeldAttributes() : new Map(),
  holder,
  nested: holder === 'event' || holder === 'link',
  dropped: 0,
  seen: 0,
})

/**
 * Returns whether the attribute with this key is kept, and counts it as dropped if not. Throws Malformed above `rawAttributes`, so that a
 * span of half a million attributes costs no more than its first few thousand.
 */
export function admitKey(bag: AttributeBag, key: string, keyBytes: number, context: DecodeContext): boolean {
  const { limits } = context
  bag.seen++
  if (bag.seen > limits.rawAttributes) {
    const detail = `${holderWords[bag.holder]} has more than ${limits.rawAttributes} attributes, the most that are accepted.`
    throw new Malformed(detail, 'too_many_attributes')
  }
  if (key === '') {
    bag.dropped++
    return false
  }
  const isNew = bag.map.size < limits.attributes || bag.map.has(key)
  if (keyBytes <= limits.keyBytes && isNew && (!bag.nested || spendNested(context))) return true
  context.flags.add('truncated')
  bag.dropped++
  return false
}

/** Returns the maximum bytes of a value of this attribute. The limit of a ciphertext allows for base64. */
export function valueLimit(key: string, limits: IngestLimits): number {
  if (key === ciphertextKey) return Math.ceil(limits.contentValueBytes / 3) * 4
  return isContentAttribute(key) ? limits.contentValueBytes : limits.valueBytes
}
