// Brings JSON text into the form of RFC 8785 without parsing it, if only blanks and the order of keys differ.

const [quote, backslash, comma, colon, minus, digit0, digit9] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x30, 0x39]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [firstPrintable, firstSurrogate, lastSurrogate] = [0x20, 0xd800, 0xdfff]
/** Deeper values are left to the parse, which rejects them at 64 levels. */
const maxDepth = 32
/** Integers of up to this many digits are exact as numbers, and are written as they are read. */
const maxDigits = 15
/** The letters of the escapes that RFC 8785 requires where a character needs an escape. It writes no others, except for rare controls. */
const escapes = '"\\bfnrt'

const isDigit = (code: number): boolean => code >= digit0 && code <= digit9

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Returns the index behind the string that opens at `at`; -1 if it has another spelling, or surrogates, which may be alone. */
function endOfString(text: string, at: number, allowsEscapes: boolean): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code === quote) return next + 1
    if (code < firstPrintable || (code >= firstSurrogate && code <= lastSurrogate)) return -1
    if (code === backslash) {
      next++
      if (!allowsEscapes || next >= text.length || !escapes.includes(text.charAt(next))) return -1
    }
  }
  return -1
}

/** Returns the index behind the integer at `at`; -1 for any other number. */
function endOfInteger(text: string, at: number): number {
  const first = text.charCodeAt(at) === minus ? at + 1 : at
  let next = first
  while (next < text.length && isDigit(text.charCodeAt(next))) next++
  const length = next - first
  if (length === 0 || length > maxDigits) return -1
  // `-0` is written as 0; other numbers do not begin with 0.
  if (text.charCodeAt(first) === digit0 && (length > 1 || first > at)) return -1
  const behind = text.charCodeAt(next)
  const isEnd = behind === comma || behind === closeList || behind === closeObject || isBlank(behind)
  return next === text.length || isEnd ? next : -1
}

/** Whether the key from `before` precedes the one from `key`, by UTF-16 code units. Both end with a quote, and contain none. */
function isBefore(text: string, before: number, key: number): boolean {
  for (let nth = 1; ; nth++) {
    const [one, other] = [text.charCodeAt(before + nth), text.charCodeAt(key + nth)]
    if (other === quote) return false
    if (one === quote) return true
    if (one !== other) return one < other
  }
}

function endOfObject(text: string, at: number, depth: number): number {
  if (text.charCodeAt(at + 1) === closeObject) return at + 2
  let before = -1
  for (let key = at + 1; text.charCodeAt(key) === quote; ) {
    const keyEnd = endOfString(text, key, false)
    if (keyEnd === -1 || text.charCodeAt(keyEnd) !== colon || (before !== -1 && !isBefore(text, before, key))) return -1
    const end = endOfValue(text, keyEnd + 1, depth + 1)
    if (end === -1) return -1
    const code = text.charCodeAt(end)
    if (code === closeObject) return end + 1
    if (code !== comma) return -1
    before = key
    key = end + 1
  }
  return -1
}

function endOfList(text: string, at: number, depth: number): number {
  if (text.charCodeAt(at + 1) === closeList) return at + 2
  for (let item = at + 1; ; ) {
    const end = endOfValue(text, item, depth + 1)
    if (end === -1) return -1
    const code = text.charCodeAt(end)
    if (code === closeList) return end + 1
    if (code !== comma) return -1
    item = end + 1
  }
}

const literals = ['true', 'false', 'null']

function endOfLiteral(text: string, at: number): number {
  for (const literal of literals) if (text.startsWith(literal, at)) return at + literal.length
  return -1
}

function endOfValue(text: string, at: number, depth: number): number {
  const code = text.charCodeAt(at)
  if (code === quote) return endOfString(text, at, true)
  if (code === minus || isDigit(code)) return endOfInteger(text, at)
  if (code !== openObject && code !== openList) return endOfLiteral(text, at)
  if (depth >= maxDepth) return -1
  return code === openObject ? endOfObject(text, at, depth) : endOfList(text, at, depth)
}

/** Whether a text is JSON in its RFC 8785 form. False also for some texts that are. Costs one pass, which ends at the first other spelling. */
const isCanonical = (text: string): boolean => endOfValue(text, 0, 0) === text.length

/** A text that is read, and the index of its next character. */
type Reader = { readonly text: string; at: number }

/** Skips blanks and returns the next character, which stays the next one; NaN at the end. */
function peek(reader: Reader): number {
  while (isBlank(reader.text.charCodeAt(reader.at))) reader.at++
  return reader.text.charCodeAt(reader.at)
}

/** Returns the text from the next character to `end`, and moves there; null if `end` is -1. */
function takeTo(reader: Reader, end: number): string | null {
  if (end === -1) return null
  const taken = reader.text.slice(reader.at, end)
  reader.at = end
  return taken
}

/** Moves behind a comma or the closing bracket `close`. Returns which of the two it was; null for another character. */
function takeBetween(reader: Reader, close: number): number | null {
  const code = peek(reader)
  reader.at++
  return code === comma || code === close ? code : null
}

type Member = { readonly key: string; readonly value: string }

function writeObject(reader: Reader, depth: number): string | null {
  const members: Member[] = []
  let isOrdered = true
  reader.at++
  for (let code: number | null = peek(reader); code !== closeObject; code = takeBetween(reader, closeObject)) {
    if (code === null || peek(reader) !== quote) return null
    const key = takeTo(reader, endOfString(reader.text, reader.at, false))
    if (key === null || peek(reader) !== colon) return null
    reader.at++
    const value = writeValue(reader, depth + 1)
    if (value === null) return null
    const member = { key: key.slice(1, -1), value }
    isOrdered &&= members.length === 0 || (members.at(-1) as Member).key < member.key
    members.push(member)
  }
  if (members.length === 0) reader.at++
  if (!isOrdered) members.sort((one, other) => (one.key < other.key ? -1 : 1))
  let text = ''
  for (let nth = 0; nth < members.length; nth++) {
    const { key, value } = members[nth] as Member
    // Of a key that occurs twice, the parse keeps the last one.
    if (nth > 0 && (members[nth - 1] as Member).key === key) return null
    text += `${nth > 0 ? ',' : ''}"${key}":${value}`
  }
  return `{${text}}`
}

function writeList(reader: Reader, depth: number): string | null {
  const items: string[] = []
  reader.at++
  for (let code: number | null = peek(reader); code !== closeList; code = takeBetween(reader, closeList)) {
    const item = code === null ? null : writeValue(reader, depth + 1)
    if (item === null) return null
    items.push(item)
  }
  if (items.length === 0) reader.at++
  return `[${items.join(',')}]`
}

/** Returns the RFC 8785 form of the next value; null as `rewriteCanonical`. */
function writeValue(reader: Reader, depth: number): string | null {
  const code = peek(reader)
  if (code !== openObject && code !== openList) return takeTo(reader, endOfValue(reader.text, reader.at, depth))
  if (depth >= maxDepth) return null
  return code === openObject ? writeObject(reader, depth) : writeList(reader, depth)
}

/**
 * Returns the RFC 8785 form of a JSON text. Null for a text that is not JSON, and for some JSON, which has to be parsed: with fractions, with
 * integers of more than 15 digits, with keys that occur twice or contain escapes, with escapes that the form writes in another way, and with
 * characters beyond U+FFFF. Costs one pass, two if the form is another text, and a sort of the keys of objects that are not in order.
 */
export function rewriteCanonical(text: string): string | null {
  if (isCanonical(text)) return text
  const reader = { text, at: 0 }
  const form = writeValue(reader, 0)
  peek(reader)
  return reader.at === text.length ? form : null
}
