// Redacts a span as the content mode of its workspace requires.
import type { AttributeMap, Attributes, AttributeValue, Span, SpanEvent } from '../event/span.ts'
import type { ContentMode } from './content-mode.ts'
import { keepWithoutContent } from './listed-attributes.ts'
import { mapShared } from './map-shared.ts'
import type { Redactor } from './redactor.ts'

/** Attributes whose bytes are stored as columns of a separate table. */
export const storedApart = ['tracewright.tool.ciphertext', 'tracewright.tool.iv', 'tracewright.tool.tag'] as const

export type RedactedAttributes = {
  readonly attributes: AttributeMap
  /** Something was removed or replaced (flag `redacted`). */
  readonly redacted: boolean
  /** Redaction failed on an attribute, which was removed (flag `content_dropped`). */
  readonly failed: boolean
}

export type RedactedSpan = { readonly span: Span; readonly redacted: boolean; readonly failed: boolean }

/** What was changed in a span so far. */
type Note = { redacted: boolean; failed: boolean }

/** Returns what is kept of an attribute before redaction; `undefined`: nothing. */
type Keep = (key: string, value: AttributeValue) => AttributeValue | undefined

const keepWhole: Keep = (_, value) => value
const keepIn = (mode: ContentMode): Keep => (mode === 'none' ? keepWithoutContent : keepWhole)
const isNothing = (): boolean => false

/** Reduces attributes to what `keep` returns and redacts the others unless `isClean` is true. The same Map if nothing changed. */
function filter<A extends Attributes>(
  attributes: A,
  keep: Keep,
  redactor: Redactor,
  note: Note,
  isClean: (key: string) => boolean = isNothing,
): A | AttributeMap {
  const left: [string, AttributeValue][] = []
  let changed = false
  for (const [key, whole] of attributes) {
    const value = keep(key, whole)
    changed ||= !Object.is(value, whole)
    if (value === undefined) continue
    if (isClean(key)) {
      left.push([key, value])
      continue
    }
    try {
      const member = redactor.member(key, value)
      changed ||= member.changed
      left.push([member.name, member.value as AttributeValue])
    } catch {
      // The error may contain content, so it is not passed on: `failed` becomes a flag on the span and a counter.
      changed = true
      note.failed = true
    }
  }
  if (!changed) return attributes
  note.redacted = true
  return new Map(left)
}

/**
 * Returns what is kept of attributes that spans share (resource, scope). `full`: all. `redacted`: all, redacted. `none`: listed attributes,
 * redacted. Returns the same Map if nothing changed. The argument is never changed.
 */
export function redactAttributes(mode: ContentMode, attributes: AttributeMap, redactor: Redactor): RedactedAttributes {
  const note: Note = { redacted: false, failed: false }
  if (mode === 'full') return { attributes, ...note }
  const kept = filter(attributes, keepIn(mode), redactor, note)
  return { attributes: kept, ...note }
}

function redactText(text: string, redactor: Redactor, note: Note): string {
  if (text === '') return text
  try {
    const result = redactor.text(text)
    note.redacted ||= result.changed
    return result.text
  } catch {
    note.redacted = true
    note.failed = true
    return ''
  }
}

function redactEvent(event: SpanEvent, keep: Keep, redactor: Redactor, note: Note): SpanEvent {
  const attributes = filter(event.attributes, keep, redactor, note)
  const name = redactText(event.name, redactor, note)
  return attributes === event.attributes && name === event.name ? event : { ...event, name, attributes }
}

function withoutStoredApart(span: Span): Span {
  let attributes: AttributeMap | undefined
  for (const key of storedApart) {
    if (!span.attributes.has(key)) continue
    attributes ??= new Map(span.attributes)
    attributes.delete(key)
  }
  return attributes === undefined ? span : { ...span, attributes }
}

/** Redacts a text in free words; mode `none` keeps nothing of it. */
const redactFree = (mode: ContentMode, text: string, redactor: Redactor, note: Note): string =>
  redactText(mode === 'none' ? '' : text, redactor, note)

/**
 * Returns the span as the content mode permits keeping it. It processes the name, the attributes, those of events and links, the names of
 * events, the trace state and the status message, but not the shared resource and scope: see `redactAttributes`. `storedApart` attributes
 * are removed in every mode. Mode `none` leaves only names and listed attributes. Returns the same span if nothing changed; the argument is
 * never changed. `isClean` returns true for attributes of the span itself that the redactor would not change. `own` is the redactor of the
 * span's own attributes. Costs a pass of the redactor over every text that is not clean.
 */
export function redactSpan(
  mode: ContentMode,
  span: Span,
  redactor: Redactor,
  isClean: (key: string) => boolean = isNothing,
  own: Redactor = redactor,
): RedactedSpan {
  const bare = withoutStoredApart(span)
  const note: Note = { redacted: false, failed: false }
  if (mode === 'full') return { span: bare, ...note }
  const keep = keepIn(mode)
  const attributes = filter(bare.attributes, keep, own, note, isClean)
  const events = mapShared(bare.events, (event) => redactEvent(event, keep, redactor, note))
  const links = mapShared(bare.links, (link) => {
    const kept = filter(link.attributes, keep, redactor, note)
    return kept === link.attributes ? link : { ...link, attributes: kept }
  })
  const name = redactText(bare.name, redactor, note)
  const statusMessage = redactFree(mode, bare.statusMessage, redactor, note)
  const traceState = redactFree(mode, bare.traceState, redactor, note)
  const isSame = name === bare.name && statusMessage === bare.statusMessage && traceState === bare.traceState
  if (isSame && !note.redacted) return { span: bare, ...note }
  return {
    span: { ...bare, name, attributes, events, links, statusMessage, traceState },
    redacted: true,
    failed: note.failed,
  }
}
