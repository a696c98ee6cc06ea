// Floor 1. A span without what its workspace's content mode does not let be kept.
import type { AttributeMap, Attributes, AttributeValue, Span, SpanEvent } from '../span.ts'
import { isContentAttribute } from './content-attributes.ts'
import type { ContentMode } from './content-mode.ts'
import type { Redactor } from './redactor.ts'

/** Attributes whose bytes are columns of a table of their own. */
export const storedApart = ['tracewright.tool.ciphertext', 'tracewright.tool.iv', 'tracewright.tool.tag'] as const

export type RedactedAttributes = {
  readonly attributes: AttributeMap
  /** Something was removed or replaced (flag `redacted`). */
  readonly redacted: boolean
  /** Redaction failed on an attribute, which was therefore removed (flag `content_dropped`). */
  readonly failed: boolean
}

export type RedactedSpan = { readonly span: Span; readonly redacted: boolean; readonly failed: boolean }

/** What was done to a span so far. */
type Note = { redacted: boolean; failed: boolean }

/** Events that are messages by their name: every attribute of theirs is content, whatever it is called. */
const messageEvents = /^(?:gen_ai\.(?:system|user|assistant|tool)\.message|gen_ai\.choice|tool\.output)$/

const isContent = (key: string): boolean => isContentAttribute(key)
const isAnything = (): boolean => true
const isNothing = (): boolean => false

/** The same Map where nothing changed. Attributes that `goes` tells are left out, the others redacted but for those known to be clean. */
function filter<A extends Attributes>(
  attributes: A,
  goes: (key: string) => boolean,
  redactor: Redactor,
  note: Note,
  isClean: (key: string) => boolean = isNothing,
): A | AttributeMap {
  const left: [string, AttributeValue][] = []
  let changed = false
  for (const [key, value] of attributes) {
    if (goes(key)) {
      changed = true
      continue
    }
    if (isClean(key)) {
      left.push([key, value])
      continue
    }
    try {
      const member = redactor.member(key, value)
      changed ||= member.changed
      left.push([member.name, member.value as AttributeValue])
    } catch {
      // The error may hold content, so it is not passed on: `failed` becomes a flag on the span and a counter.
      changed = true
      note.failed = true
    }
  }
  if (!changed) return attributes
  note.redacted = true
  return new Map(left)
}

/**
 * What is kept of attributes that many spans share (resource, scope). `full`: all. `none`: content attributes go, the
 * others are redacted. `redacted`: all are redacted. The same Map where nothing changed; the given one never changes.
 */
export function redactAttributes(mode: ContentMode, attributes: AttributeMap, redactor: Redactor): RedactedAttributes {
  const note: Note = { redacted: false, failed: false }
  if (mode === 'full') return { attributes, ...note }
  const kept = filter(attributes, mode === 'none' ? isContent : isNothing, redactor, note)
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

/** The same list where no item changed. */
function mapShared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change)
  return changed.some((item, at) => item !== items[at]) ? changed : items
}

function redactEvent(mode: ContentMode, event: SpanEvent, redactor: Redactor, note: Note): SpanEvent {
  const goes = mode !== 'none' ? isNothing : messageEvents.test(event.name) ? isAnything : isContent
  const attributes = filter(event.attributes, goes, redactor, note)
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

/**
 * The span as the content mode lets it be kept: its attributes, those of its events and links, the names of its events
 * and its status message. Resource and scope, which it shares with others, are as they were: see `redactAttributes`.
 * What is stored apart is gone in every mode. The same span where nothing changed; the given one never changes. In mode
 * `none` nothing is left that `normalise` would read as content. `isClean` tells of attributes of the span itself that the redactor would
 * not change. `own` redacts those attributes alone. Cost: that of the redactor over every other text.
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
  const attributes = filter(bare.attributes, mode === 'none' ? isContent : isNothing, own, note, isClean)
  const events = mapShared(bare.events, (event) => redactEvent(mode, event, redactor, note))
  const links = mapShared(bare.links, (link) => {
    const kept = filter(link.attributes, isNothing, redactor, note)
    return kept === link.attributes ? link : { ...link, attributes: kept }
  })
  const statusMessage = redactText(bare.statusMessage, redactor, note)
  if (!note.redacted) return { span: bare, ...note }
  return { span: { ...bare, attributes, events, links, statusMessage }, ...note }
}
