// Floor 1. What a workspace's content mode lets be kept of a span.
import type { Content, Message, MessagePart } from '../event.ts'
import type { AttributeMap, AttributeValue } from '../span.ts'
import { type ContentSide, contentSideOf } from './content-attributes.ts'
import type { Redactor } from './redactor.ts'

export const contentModes = ['none', 'redacted', 'full'] as const
export type ContentMode = (typeof contentModes)[number]

export type KeptContent = {
  readonly content: Content | null
  /** Something was removed (flag `redacted`). */
  readonly redacted: boolean
  /** Redaction failed, and what it failed on was not kept (flag `content_dropped`). */
  readonly failed: boolean
}

export type KeptAttributes = {
  readonly attributes: AttributeMap
  readonly redacted: boolean
  readonly failed: boolean
}

const isEmpty = ({ inputMessages, outputMessages, toolArguments, toolResult }: Content): boolean =>
  inputMessages === null && outputMessages === null && (toolArguments ?? null) === null && (toolResult ?? null) === null

function redactPart(part: MessagePart, redactor: Redactor): MessagePart {
  if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: redactor.text(part.text).text }
  if (part.type === 'tool_call') return { ...part, arguments: redactor.json(part.arguments).value }
  if (part.type === 'tool_result') return { ...part, result: redactor.json(part.result).value }
  if (part.type === 'image' && part.url !== undefined) return { ...part, url: redactor.text(part.url).text }
  return part
}

const redactMessages = (messages: readonly Message[] | null, redactor: Redactor): readonly Message[] | null =>
  messages?.map(({ role, parts }) => ({ role, parts: parts.map((part) => redactPart(part, redactor)) })) ?? null

/** The same redactor, which remembers whether it changed anything. */
function watch(redactor: Redactor): { readonly redactor: Redactor; readonly changed: () => boolean } {
  let any = false
  return {
    redactor: {
      text(value) {
        const result = redactor.text(value)
        any ||= result.changed
        return result
      },
      json(value) {
        const result = redactor.json(value)
        any ||= result.changed
        return result
      },
      member(name, value) {
        const result = redactor.member(name, value)
        any ||= result.changed
        return result
      },
    },
    changed: () => any,
  }
}

/**
 * What is kept of a span's content: nothing (`none`), the content without secrets and personal identifiers (`redacted`),
 * or all of it (`full`). Where redaction throws, the content is not kept and `failed` is set; the span goes on.
 */
export function applyContentMode(mode: ContentMode, content: Content, redactor: Redactor): KeptContent {
  if (mode === 'full') return { content, redacted: false, failed: false }
  if (mode === 'none') return { content: null, redacted: !isEmpty(content), failed: false }
  const watched = watch(redactor)
  try {
    const kept: Content = {
      inputMessages: redactMessages(content.inputMessages, watched.redactor),
      outputMessages: redactMessages(content.outputMessages, watched.redactor),
      toolArguments: watched.redactor.json(content.toolArguments).value,
      toolResult: watched.redactor.json(content.toolResult).value,
    }
    return { content: kept, redacted: watched.changed(), failed: false }
  } catch {
    // The error may hold content, so it is not passed on: `failed` becomes a flag on the span and a counter.
    return { content: null, redacted: true, failed: true }
  }
}

/** The sides on which the kept content says what an attribute says. */
function heldSides(content: Content | null): ReadonlySet<ContentSide> {
  const held = new Set<ContentSide>()
  if (content === null) return held
  if (content.inputMessages !== null || (content.toolArguments ?? null) !== null) held.add('in').add('both')
  if (content.outputMessages !== null || (content.toolResult ?? null) !== null) held.add('out').add('both')
  return held
}

/**
 * What is kept of one record of attributes. `full`: all. `none`: content attributes go, the others are redacted.
 * `redacted`: content attributes go where `kept` (what `applyContentMode` gave) holds the same, and all others are
 * redacted. An attribute on which redaction throws goes, with `failed` set.
 */
export function redactAttributes(
  mode: ContentMode,
  attributes: AttributeMap,
  kept: Content | null,
  redactor: Redactor,
): KeptAttributes {
  if (mode === 'full') return { attributes, redacted: false, failed: false }
  const watched = watch(redactor)
  const held = heldSides(kept)
  const left: AttributeMap = new Map()
  let removed = false
  let failed = false
  for (const [key, value] of attributes) {
    const side = contentSideOf(key)
    if (side !== null && mode === 'none') removed = true
    else if (side === null || !held.has(side)) {
      try {
        const member = watched.redactor.member(key, value)
        left.set(member.name, member.value as AttributeValue)
      } catch {
        // As above: the error may hold content.
        failed = true
      }
    }
  }
  return { attributes: left, redacted: removed || failed || watched.changed(), failed }
}
