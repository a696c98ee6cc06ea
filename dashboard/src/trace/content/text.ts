// Text out of a trace, made fit to be shown: cut, with its links told apart. Nothing of it is ever read as HTML.

const maxShownCharacters = 20_000

/** The beginning of a long text; never half of a character that takes two code units. */
export function cutText(text: string, max = maxShownCharacters): { readonly shown: string; readonly left: number } {
  if (text.length <= max) return { shown: text, left: 0 }
  const end = isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max
  return { shown: text.slice(0, end), left: text.length - end }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff

export type TextPiece = { readonly text: string; readonly href: string | null }

const webAddress = /https?:\/\/[^\s<>"'`{}|\\^[\]]+/gi
const trailing = /[.,;:!?)]+$/

/** Splits a text into plain pieces and web addresses. Other schemes stay text: nothing can make them a link. */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  for (const match of text.matchAll(webAddress)) {
    const address = match[0].replace(trailing, '')
    if (!isWebAddress(address)) continue
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), href: null })
    pieces.push({ text: address, href: address })
    at = match.index + address.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null })
  return pieces
}

/** Whether an address leads to a page of the web and to nothing that runs here. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:'
}

/** Marks of quotes and lists one behind the other in one line, or a list that is indented very far. */
const deepNesting = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){30}|^[ \t]{100,}(?:[-+*]|\d{1,9}[.)])[ \t]/m
const emphasisMark = /[*_]/g
const maxEmphasisMarks = 3_000

/**
 * Whether the text is too costly to read as Markdown: each mark nests the rest one level deeper, and a page of thousands of levels crashes
 * the tab; marks of emphasis are each compared with all before them.
 */
export const isCostlyMarkdown = (text: string): boolean =>
  deepNesting.test(text) || (text.match(emphasisMark)?.length ?? 0) > maxEmphasisMarks
