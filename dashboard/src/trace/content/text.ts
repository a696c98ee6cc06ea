// Prepares text from a trace for display: cuts long text and finds web addresses. No text is ever parsed as HTML.

const maxShownCharacters = 20_000

/** Returns the beginning of a long text. It does not split a surrogate pair. */
export function cutText(text: string, max = maxShownCharacters): { readonly shown: string; readonly left: number } {
  if (text.length <= max) return { shown: text, left: 0 }
  const end = isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max
  return { shown: text.slice(0, end), left: text.length - end }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff

export type TextPiece = { readonly text: string; readonly href: string | null }

const webAddress = /https?:\/\/[^\s<>"'`{}|\\^[\]]+/gi
const trailing = '.,;:!?)'

/** Splits a text into plain pieces and web addresses. Addresses with other schemes are plain text and never become links. */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  for (const match of text.matchAll(webAddress)) {
    const address = trimEnd(match[0])
    if (!isWebAddress(address)) continue
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), href: null })
    pieces.push({ text: address, href: address })
    at = match.index + address.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null })
  return pieces
}

/** Returns an address without the punctuation that follows it in a sentence. A regular expression would need quadratic time. */
function trimEnd(address: string): string {
  let end = address.length
  while (end > 0 && trailing.includes(address[end - 1] ?? ' ')) end -= 1
  return address.slice(0, end)
}

/** Whether an address is an http or https URL, which runs nothing in this page. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:'
}

/** At least 30 consecutive markers of quotes and lists in one line, or a list item that is indented by at least 100 characters. */
const deepNesting = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){30}|^[ \t]{100,}(?:[-+*]|\d{1,9}[.)])[ \t]/m
const emphasisMark = /[*_]/g
const maxEmphasisMarks = 3_000

/**
 * Whether a text is too costly to parse as Markdown. Each marker of a quote or list nests the rest one level deeper, and a page with
 * thousands of levels crashes the tab. The parser compares each marker of emphasis with all markers before it.
 */
export const isCostlyMarkdown = (text: string): boolean =>
  deepNesting.test(text) || (text.match(emphasisMark)?.length ?? 0) > maxEmphasisMarks
