// Encodes the payload of a span, which is stored beside its columns: the span itself, as far as the content mode permits.
import type { Event } from '../event/event.ts'
import type { Flag } from '../event/flag.ts'
import type { AttributeValue, Resource, Scope, Span } from '../event/span.ts'
import { AttributeSlices } from '../otlp/protobuf/attribute-slices.ts'
import type { Shape } from '../otlp/protobuf/key-book.ts'
import { openMessageWriter } from '../otlp/protobuf/message-writer.ts'
import { type NewValue, rewriteSpan, writeResource, writeScope, writeSpan } from '../otlp/protobuf/write-span.ts'
import type { ContentMode } from '../redact/content-mode.ts'
import { keepHosts } from '../redact/keep-hosts.ts'
import { redactAttributes, redactSpan, storedApart } from '../redact/redact-span.ts'
import type { Redactor } from '../redact/redactor.ts'
import { isSuspicious, isSuspiciousKey, isSuspiciousNumber } from '../redact/suspicion.ts'
import { openValueCheck } from './clean-values.ts'
import type { PayloadBlocks, PayloadPlace, Surroundings } from './payload-blocks.ts'

export type PayloadEncoder = {
  /**
   * Adds the span to the blocks. `event` is its kept event, to which it adds the flags `redacted`, `content_dropped` and `content_withheld`
   * if they apply.
   */
  encode(span: Span, event: Event, startUs: number): PayloadPlace
  /** Call it before each request. */
  begin(mode: ContentMode, redactor: Redactor): void
}

type Kept = { readonly around: Surroundings; readonly flags: readonly Flag[] }

/**
 * Opens an encoder for any number of requests, one after the other. The spans of a request share resources and scopes. A span that needs no
 * change is copied as it was received, which takes about 2 µs.
 */
export function openPayloadEncoder(
  firstMode: ContentMode,
  firstRedactor: Redactor,
  blocks: PayloadBlocks,
): PayloadEncoder {
  let mode = firstMode
  let redactor = firstRedactor
  let hostKeeper = keepHosts(redactor)
  const writer = openMessageWriter()
  const isSuspiciousValue = openValueCheck()
  let kept = new Map<Resource, Map<Scope, Kept>>()

  function write(fill: () => void): Uint8Array {
    writer.clear()
    fill()
    return writer.view()
  }

  const keepName = (name: string): string => (mode === 'full' ? name : redactor.name(name))
  /** Keeps a text in free words, except in mode `none`. */
  const keepFree = (text: string): string => (mode === 'none' ? '' : keepName(text))

  function keepAround(resource: Resource, scope: Scope): Kept {
    const byScope = kept.get(resource) ?? new Map<Scope, Kept>()
    const before = byScope.get(scope)
    if (before !== undefined) return before
    const withheld = redactor.withheld()
    const ofResource = redactAttributes(mode, resource.attributes, redactor)
    const ofScope = redactAttributes(mode, scope.attributes, redactor)
    const schemaUrl = keepFree(resource.schemaUrl)
    const { attributes } = ofScope
    const now: Kept = {
      around: {
        resource: Buffer.from(write(() => writeResource(writer, { attributes: ofResource.attributes, schemaUrl }))),
        scope: Buffer.from(
          write(() => writeScope(writer, { name: keepName(scope.name), version: keepName(scope.version), attributes })),
        ),
      },
      flags: [
        ...listFlags(ofResource),
        ...listFlags(ofScope),
        ...(redactor.withheld() > withheld ? (['content_withheld'] as const) : []),
      ],
    }
    kept.set(resource, byScope.set(scope, now))
    return now
  }

  /** True if no key promises a secret, has to be redacted itself, or is stored apart. */
  function isPlainShape(shape: Shape, of: 'full' | 'redacted'): boolean {
    const before = shape.isPlain[of]
    if (before !== undefined) return before
    const isPlain = !shape.keys.some((key) => isStoredApart(key) || (of === 'redacted' && isSuspiciousKey(key)))
    shape.isPlain[of] = isPlain
    return isPlain
  }

  /** Returns the indexes of the attributes that the content mode may change; null if they must be examined one by one. */
  function listSuspicious({ attributes }: Span): readonly number[] | null {
    if (mode === 'none' || !(attributes instanceof AttributeSlices) || !isPlainShape(attributes.shape, mode))
      return null
    if (mode === 'full') return none
    let found: number[] | null = null
    for (let place = 0; place < attributes.size; place++) {
      if (isSuspiciousAt(attributes, place)) (found ??= []).push(place)
    }
    return found ?? none
  }

  function isSuspiciousAt({ cache, values, starts, ends }: AttributeSlices, place: number): boolean {
    const end = ends[place] as number
    if (end > 0) return isSuspiciousValue(cache.source, starts[place] as number, end)
    const value = values[place]
    if (typeof value === 'number' || typeof value === 'bigint') return isSuspiciousNumber(value)
    return typeof value === 'object' && redactor.json(value).changed
  }

  const redactorOf = (span: Span, event: Event): Redactor => (callsServer(span, event) ? hostKeeper : redactor)

  const isChanged = (text: string): boolean => text !== '' && redactor.text(text).changed

  const isOtherTextToChange = ({ name, statusMessage, traceState }: Span, event: Event): boolean =>
    mode === 'redacted' && (event.name !== name || isChanged(statusMessage) || isChanged(traceState))

  /** Returns the changes of these attributes; null if redaction fails on one, which must then be removed. */
  function listChanges(attributes: AttributeSlices, places: readonly number[], own: Redactor): NewValue[] | null {
    const changes: NewValue[] = []
    for (const place of places) {
      const key = attributes.keyAt(place)
      try {
        const { value, changed } = own.member(key, attributes.at(place))
        if (changed) changes.push({ place, key, value: value as AttributeValue })
      } catch {
        // Redacting the whole span meets the same error and sets the flag for it.
        return null
      }
    }
    return changes
  }

  /** Returns the received span with only these attributes changed; null if the span cannot be kept like that. */
  function keepReceived(span: Span, places: readonly number[], event: Event): Uint8Array | null {
    const { received, attributes } = span
    if (received === null) return null
    if (places.length === 0) return received
    const changes = listChanges(attributes as AttributeSlices, places, redactorOf(span, event))
    if (changes === null) return null
    if (changes.length === 0) return received
    event.flags.add('redacted')
    return write(() => rewriteSpan(writer, received, changes))
  }

  /** `places` are the indexes of the only attributes that the content mode may change; null if they are unknown. */
  function redactWhole(span: Span, places: readonly number[] | null, event: Event): Uint8Array {
    const { attributes } = span
    const suspicious = places?.map((place) => (attributes as AttributeSlices).keyAt(place))
    const isClean = (key: string): boolean =>
      suspicious === undefined ? isCleanText(key, attributes.get(key)) : !suspicious.includes(key)
    const result = redactSpan(mode, span, redactor, isClean, redactorOf(span, event))
    for (const flag of listFlags(result)) event.flags.add(flag)
    if (result.span === span && span.received !== null) return span.received
    return write(() => writeSpan(writer, result.span))
  }

  return {
    begin(nextMode, nextRedactor) {
      mode = nextMode
      redactor = nextRedactor
      hostKeeper = keepHosts(redactor)
      kept = new Map()
    },
    encode(span, event, startUs) {
      const { around, flags } = keepAround(span.resource, span.scope)
      for (const flag of flags) event.flags.add(flag)
      const withheld = redactor.withheld()
      const places = listSuspicious(span)
      // Spans with events or links are never kept as received, so name, status message and trace state are the only other texts to check.
      const isOnlyAttributes = places !== null && !isOtherTextToChange(span, event)
      const kept = isOnlyAttributes ? keepReceived(span, places, event) : null
      const bytes = kept ?? redactWhole(span, places, event)
      if (redactor.withheld() > withheld) event.flags.add('content_withheld')
      return blocks.add(bytes, around, startUs)
    },
  }
}

const none: readonly number[] = []

/** SPAN_KIND_CLIENT of OTLP. */
const clientKind = 3

const callsServer = ({ spanKind }: Span, { kind }: Event): boolean =>
  spanKind === clientKind || kind === 'llm' || kind === 'embedding'

/** From this length on, checking a text first is cheaper, and saves the redactor's work budget for texts that need it. */
const minAskedChars = 1_024

/** True if an attribute is a long text in which nothing would be redacted. */
function isCleanText(key: string, value: AttributeValue | undefined): boolean {
  if (typeof value !== 'string' || value.length < minAskedChars || isSuspiciousKey(key)) return false
  const bytes = Buffer.from(value)
  return !isSuspicious(bytes, 0, bytes.length)
}

const isStoredApart = (key: string): boolean => (storedApart as readonly string[]).includes(key)

const listFlags = ({ redacted, failed }: { readonly redacted: boolean; readonly failed: boolean }): Flag[] => [
  ...(redacted ? (['redacted'] as const) : []),
  ...(failed ? (['content_dropped'] as const) : []),
]
