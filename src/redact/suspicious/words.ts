// Checks whether the text around a word such as `token` may contain a secret: as an assignment, a header or a JSON member.
import { behindNameSource, secretKeyKinds, secretTokenKinds, sensitivityOf } from '../sensitive-keys.ts'
import {
  backslash,
  doubleQuote,
  hasText,
  hasWord,
  isBehindEscape,
  isBlank,
  isBlankLetter,
  isDigit,
  isQuote,
  isStop,
  isUpper,
  isWide,
  isWord,
  skipBlanksBack,
} from './bytes.ts'

const greater = 0x3e
const [colon, equals, dash, dot, underscore, apostrophe, carriageReturn, lineFeed] = [
  0x3a, 0x3d, 0x2d, 0x2e, 0x5f, 0x27, 0x0d, 0x0a,
]
const [letterF, letterN, letterS, letterT, letterU] = [0x66, 0x6e, 0x73, 0x74, 0x75]

/** The maximum bytes between a word, its `=` and its value. A larger gap counts as suspicious. */
const maxGap = 64
/** The last 256 characters of the name of a JSON member, which are all that is checked, take at most this many bytes. */
const maxNameBytes = 4_096
const minBareValue = 6
const minHeaderValue = 4

const percent = 0x25

/** The length of a character of a URL that is encoded once or several times at `at`, such as `%3D` or `%253D`; 0 for another one. */
function countEncoded(bytes: Uint8Array, at: number, end: number, code: string): number {
  if (bytes[at] !== percent) return 0
  let next = at + 1
  while (next < at + 5 && hasText(bytes, next, end, '25')) next += 2
  return hasWord(bytes, next, end, code) ? next + 2 - at : 0
}

/** `＝` and `：`, which are as wide as Chinese characters. */
const wideSigns = ['\u00ef\u00bc\u009d', '\u00ef\u00bc\u009a']

/** Returns the length of the sign between a name and its value at `at`; 0 if there is none. */
function countSign(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]
  if (byte === colon || byte === equals) return 1
  if (isWide(byte)) return wideSigns.some((sign) => hasText(bytes, at, end, sign)) ? 3 : 0
  if (byte === letterU) return hasWord(bytes, at, end, 'uff1d') || hasWord(bytes, at, end, 'uff1a') ? 5 : 0
  return countEncoded(bytes, at, end, '3d') || countEncoded(bytes, at, end, '3a')
}

/** Returns the end of the quotes, blanks and escapes at `at`; -1 if there are too many. */
function skipToSign(bytes: Uint8Array, at: number, end: number): number {
  const last = at + maxGap
  let next = at
  for (; next < end; next++) {
    if (next > last) return -1
    const byte = bytes[next]
    if (isBlank(byte) || isQuote(byte) || byte === backslash) continue
    if (bytes[next - 1] === backslash && isBlankLetter(byte)) continue
    if (countSign(bytes, next, end) > 0) break
    if (isWide(byte)) continue
    const encoded = countEncoded(bytes, next, end, '22')
    if (encoded > 0) next += encoded - 1
    else if (bytes[next - 1] === backslash && byte === letterU) next += 4
    else break
  }
  return next
}

/** As `skipToSign`, but stops where a value begins: also at a quote, and at a byte that is not ASCII. */
export function skipToValue(bytes: Uint8Array, at: number, end: number): number {
  const last = at + maxGap
  let next = at
  for (; next < end; next++) {
    if (next > last) return -1
    const byte = bytes[next]
    if (isBlank(byte) || byte === backslash) continue
    if (bytes[next - 1] === backslash && isBlankLetter(byte)) continue
    break
  }
  return next
}

function countBackslashesBefore(bytes: Uint8Array, at: number, start: number): number {
  let count = 0
  while (at - 1 - count >= start && bytes[at - 1 - count] === backslash) count++
  return count
}

/** Whether the quote at `at` is closed at once, by the same quote with the same number of backslashes before it. */
function isEmptyQuoted(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  const depth = countBackslashesBefore(bytes, at, start)
  let next = at + 1
  while (next < end && bytes[next] === backslash) next++
  return next >= end ? next === at + 1 : bytes[next] === bytes[at] && next - at - 1 === depth
}

/** Whether none of the `least` bytes at `at` ends a value, as `ends` decides. */
function isLongEnough(
  bytes: Uint8Array,
  at: number,
  end: number,
  least: number,
  ends: (byte: number | undefined) => boolean,
): boolean {
  for (let k = 0; k < least; k++) if (at + k >= end || ends(bytes[at + k])) return false
  return true
}

/** Whether a quote or a blank follows the characters beyond ASCII at `at`, which may all be blanks. */
function isBlankBeforeQuote(bytes: Uint8Array, at: number, end: number): boolean {
  let next = at
  while (next < end && isWide(bytes[next])) next++
  return next < end && (isQuote(bytes[next]) || isBlank(bytes[next]) || bytes[next] === backslash)
}

const endsHeader = (byte: number | undefined): boolean => byte === carriageReturn || byte === lineFeed || isQuote(byte)

/** Whether a header has a value. It may begin with blanks of the gap from `first` to `value`, after the last line break in it. */
function isHeaderValue(bytes: Uint8Array, first: number, value: number, end: number): boolean {
  let from = value
  while (from > first && !endsHeader(bytes[from - 1])) from--
  return isLongEnough(bytes, from, end, minHeaderValue, endsHeader)
}

/** Whether the word that ends at `at` belongs to a command-line option such as `--password`, which a blank follows. */
function isOption(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  if (at >= end || !isBlank(bytes[at])) return false
  for (let next = at - 1; next > start && at - next <= maxGap; next--) {
    if (bytes[next] === dash && bytes[next - 1] === dash) return true
    if (bytes[next] !== dash && !isWord(bytes[next])) return false
  }
  return false
}

const behindName = new RegExp(behindNameSource, 'iy')

/** Returns the end of the words and numbers behind the name of a secret that ends at `at`, as in `TOKEN_PROD_2`. */
function skipBehindName(bytes: Uint8Array, at: number, end: number): number {
  const next = bytes[at]
  const isBehind = next === underscore || next === dash || next === dot || isDigit(next) || isUpper(next)
  if (at >= end || !isBehind) return at
  // The character before decides what begins a hump.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at - 1, Math.min(end - at, maxGap) + 1).toString('latin1')
  behindName.lastIndex = 1
  return at + (behindName.exec(text)?.[0].length ?? 0)
}

/**
 * Whether a value is assigned to the word that ends at `nameEnd`: `:` or `=` follows, after any `skipBehindName`, quotes, backslashes and
 * blanks, and then a value. Also true if the word ends the name of an XML element. `isHeader`: `Cookie` and `Authorization`, whose values may
 * contain anything up to the end of the line.
 */
export function isAssigned(
  bytes: Uint8Array,
  nameEnd: number,
  start: number,
  end: number,
  isHeader: boolean,
  leastValue = minBareValue,
): boolean {
  const at = skipBehindName(bytes, nameEnd, end)
  if (at < end && isWord(bytes[at])) return false
  if (at < end && bytes[at] === greater) return true
  if (isOption(bytes, at, start, end)) return true
  const sign = skipToSign(bytes, at, end)
  if (sign === -1) return true
  const length = sign < end ? countSign(bytes, sign, end) : 0
  if (length === 0) return false
  const value = skipToValue(bytes, sign + length, end)
  if (value === -1) return true
  if (isHeader && isHeaderValue(bytes, sign + length, value, end)) return true
  if (value >= end) return false
  if (isQuote(bytes[value])) return !isEmptyQuoted(bytes, value, start, end)
  // The prefix of a text in SQL or Python: N'x'
  if (bytes[value + 1] === apostrophe) return true
  if (bytes[value - 1] === backslash && bytes[value] === letterU) return true
  if (isWide(bytes[value]) && isBlankBeforeQuote(bytes, value, end)) return true
  return isLongEnough(bytes, value, end, leastValue, isStop)
}

/** As `isAssigned`, for a name that counts only in quotes, which may be escaped. A word may stand between it and the last quote. */
export function isQuotedAssigned(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  const nameEnd = skipBehindName(bytes, at, end)
  const next = bytes[nameEnd]
  return (isQuote(next) || next === backslash || next === percent) && isAssigned(bytes, nameEnd, start, end, false)
}

/**
 * Whether the word before the one at `at`, with any signs between them, makes it the name of a secret. A JSON escape before it counts as any
 * word. `fresh` is the end of the last `\u` escape.
 */
function isKindOf(kinds: readonly string[], bytes: Uint8Array, at: number, start: number, fresh: number): boolean {
  let end = at
  for (; end > start; end--) {
    if (end === fresh || isBehindEscape(bytes, end, start)) return true
    const before = bytes[end - 1]
    if (isWord(before) && before !== 0x5f) break
    if (at - end > maxGap) return true
  }
  return kinds.some((kind) => end - kind.length >= start && hasWord(bytes, end - kind.length, end, kind))
}

/** Whether the word `key` at `at` may name a secret. */
export const isSecretKey = (bytes: Uint8Array, at: number, start: number, fresh: number): boolean =>
  isKindOf(secretKeyKinds, bytes, at, start, fresh)

/** Whether the word `token` at `at` may name a secret. It does not as the beginning of another word or as a count of tokens. */
export function isSecretToken(bytes: Uint8Array, at: number, start: number, fresh: number): boolean {
  const next = bytes[at + 5] as number
  if (next === letterS) return isKindOf(secretTokenKinds, bytes, at, start, fresh)
  return !(next > 0x60 && next < 0x7b)
}

/** Returns the index of the quote that ends the name of a JSON member before the colon at `at`; -1 if there is none. */
function findNameEnd(bytes: Uint8Array, at: number, start: number): number {
  const last = skipBlanksBack(bytes, at, start) - 1
  return last >= start && bytes[last] === doubleQuote ? last : -1
}

/**
 * Whether the name before the colon at `at` ends in `value`, as in `{"name": "password", "value": "…"}`, where an earlier member may name a
 * secret. Also true if too many bytes would have to be skipped.
 */
export function isLabelledMember(bytes: Uint8Array, at: number, start: number): boolean {
  let last = at - 1
  while (last >= start && (isBlank(bytes[last]) || isQuote(bytes[last]) || bytes[last] === backslash)) {
    if (at - last > maxGap) return true
    last--
  }
  // This is the letter of an escaped blank.
  if (last > start && bytes[last - 1] === backslash && isBlankLetter(bytes[last])) return true
  return last < at - 1 && hasWord(bytes, last - 4, at, 'value')
}

/** Whether `isLabelledMember` is true of a colon from `start` to `end`. Costs one pass. */
export function hasLabelledMember(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === colon && isLabelledMember(bytes, at, start)) return true
  return false
}

/** In JSON inside JSON, a quote has 0, 1, 3, 7 … backslashes before it. */
const isNestingDepth = (backslashes: number): boolean => ((backslashes + 1) & backslashes) === 0

/**
 * Whether the colon at `at` follows the name of a JSON member that promises a secret and precedes a value that may reveal it. `word` is the
 * index of the last word of the kind that names of secrets contain.
 */
export function isSecretMember(bytes: Uint8Array, at: number, word: number, start: number, end: number): boolean {
  const close = findNameEnd(bytes, at, start)
  if (close === -1 || close < word || close - word > maxNameBytes) return false
  const depth = countBackslashesBefore(bytes, close, start)
  if (!isNestingDepth(depth)) return true
  const first = Math.max(start, close - maxNameBytes)
  let open = close - 1
  while (open >= first && (bytes[open] !== doubleQuote || countBackslashesBefore(bytes, open, start) > depth)) open--
  if (open < first) return open >= start
  if (word < open) return false
  const nameEnd = close - depth
  const isEscaped = bytes.subarray(open, nameEnd).includes(backslash)
  const name = Buffer.from(bytes.buffer, bytes.byteOffset + open + 1, Math.max(0, nameEnd - open - 1))
  const sensitivity = isEscaped ? 'any' : sensitivityOf(name.toString('utf8'))
  return sensitivity !== 'no' && tellsSomething(bytes, at + 1, start, end, sensitivity === 'any')
}

/** Whether a value may reveal a secret. False for `null`, `true`, `false`, the empty text and, unless `numbersCount`, numbers. */
function tellsSomething(bytes: Uint8Array, at: number, start: number, end: number, numbersCount: boolean): boolean {
  const value = skipToValue(bytes, at, end)
  if (value === -1) return true
  const byte = bytes[value]
  if (value >= end || byte === letterN || byte === letterT || byte === letterF) return false
  if (byte === doubleQuote) return !isEmptyQuoted(bytes, value, start, end)
  return numbersCount || !(isDigit(byte) || byte === 0x2d)
}
