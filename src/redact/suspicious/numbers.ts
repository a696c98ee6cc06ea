// Checks whether digits in a text may be part of a card number, a bank account number or an IPv4 address.
import { appendToIban, ibanLength, isCardNumber, isCardSized } from '../check-digits.ts'
import { countRun, isAsciiLetter, isBehindEscape, isDigit, isLetter, isWord } from './bytes.ts'

const [dot, dash, space, plus] = [0x2e, 0x2d, 0x20, 0x2b]
const [digit2, digit6, letterE] = [0x32, 0x36, 0x65]
export const minCardDigits = 13
/** The digits of the first group of a card as printed. */
export const cardGroup = 4
const maxCardDigits = 19
const ibanHeadLength = 4

/** Cards begin with 2 to 6. */
const beginsCard = (byte: number | undefined): boolean => (byte as number) >= digit2 && (byte as number) <= digit6

const isAlphanumeric = (byte: number | undefined): boolean => isWord(byte) && byte !== 0x5f

function toText(bytes: Uint8Array, at: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1')
}

/** Whether a number or an address may begin at `at`. `fresh` is the end of the last `\u` escape of JSON, whose digits do not count. */
const isOpen = (bytes: Uint8Array, at: number, start: number, fresh: number): boolean =>
  at === start || at === fresh || !(isWord(bytes[at - 1]) || bytes[at - 1] === dot) || isBehindEscape(bytes, at, start)

/** Whether a card number in printed groups continues at `at`, where its first group ends. */
function isGroupedCard(bytes: Uint8Array, at: number, end: number): boolean {
  const mark = bytes[at]
  if (mark !== space && mark !== dash) return false
  const second = countRun(bytes, at + 1, end, 7, isDigit)
  if (second !== 4 && second !== 6) return false
  const next = at + 1 + second
  return bytes[next] === mark && countRun(bytes, next + 1, end, 1, isDigit) === 1
}

/** Whether three more groups of up to three digits follow, each after a dot. */
function isAddress4(bytes: Uint8Array, at: number, end: number): boolean {
  let next = at
  for (let groups = 0; groups < 3; groups++) {
    if (next >= end || bytes[next] !== dot) return false
    const length = countRun(bytes, next + 1, end, 4, isDigit)
    if (length === 0 || length > 3) return false
    next += 1 + length
  }
  return true
}

/** Whether the two letters before the digits at `at` begin a bank account number. */
function isAccount(bytes: Uint8Array, at: number, start: number, end: number, fresh: number): boolean {
  const first = at - 2
  if (first < start || !isAsciiLetter(bytes[first]) || !isAsciiLetter(bytes[at - 1])) return false
  const isFirst =
    first === start || first === fresh || !isAlphanumeric(bytes[first - 1]) || isBehindEscape(bytes, first, start)
  const length = isFirst ? ibanLength(bytes[first] as number, bytes[at - 1] as number) : 0
  if (length === 0) return false
  let remainder = 0
  let next = first + ibanHeadLength
  for (let count = ibanHeadLength; count < length; count++) {
    if (bytes[next] === space || bytes[next] === dash) next++
    const byte = next < end ? (bytes[next] as number) : 0
    if (!isDigit(byte) && !isAsciiLetter(byte)) return false
    remainder = appendToIban(remainder, byte)
    next++
  }
  for (let head = first; head < first + ibanHeadLength; head++)
    remainder = appendToIban(remainder, bytes[head] as number)
  return remainder === 1
}

/** The maximum bytes of a number with a fraction or exponent. A longer one counts as suspicious. */
const maxNumberBytes = 64

/**
 * Whether a JSON number with a fraction or exponent is a card number when it is parsed as a number. Its first digits are from `first` to
 * `at`.
 */
function isOddlySpelt(bytes: Uint8Array, first: number, at: number, end: number): boolean {
  let next = at
  if (bytes[next] === dot) next += 1 + countRun(bytes, next + 1, end, maxNumberBytes, isDigit)
  if (next < end && isLetter(bytes[next], letterE)) {
    const sign = bytes[next + 1]
    const digits = next + (sign === plus || sign === dash ? 2 : 1)
    const length = countRun(bytes, digits, end, maxNumberBytes, isDigit)
    if (length > 0) next = digits + length
  } else if (at - first < minCardDigits) return false
  if (next - first > maxNumberBytes) return true
  return next > at + 1 && isCardValue(Number(toText(bytes, first, next)))
}

/** Returns the end of the digits at `at`. */
export function endOfDigits(bytes: Uint8Array, at: number, end: number): number {
  let last = at + 1
  while (last < end && isDigit(bytes[last])) last++
  return last
}

/** Whether the digits from `at` to `last`, together with the bytes around them, may be redacted. */
export function isSuspiciousDigits(
  bytes: Uint8Array,
  at: number,
  last: number,
  start: number,
  end: number,
  fresh: number,
): boolean {
  const length = last - at
  const next = last < end ? (bytes[last] as number) : 0
  // These comparisons alone rule out most numbers.
  const goesOn = next === dot || (next | 0x20) === letterE || (length === 4 && (next === space || next === dash))
  if (length < minCardDigits && !goesOn && !isAsciiLetter(bytes[at - 1])) return false
  if (at - 2 >= start && length >= 2 && isAccount(bytes, at, start, end, fresh)) return true
  if (!isOpen(bytes, at, start, fresh)) return false
  if (last < end && (bytes[last] === dot || isLetter(bytes[last], letterE)) && isOddlySpelt(bytes, at, last, end))
    return true
  if (length <= 3) return isAddress4(bytes, last, end)
  if (!beginsCard(bytes[at])) return false
  if (length === 4) return isGroupedCard(bytes, last, end)
  return length >= minCardDigits && length <= maxCardDigits && isCardNumber(toText(bytes, at, last))
}

/** True if the decimal digits of a number are a card number. */
export function isCardValue(value: number | bigint): boolean {
  if (!isCardSized(value)) return false
  const digits = String(value)
  return beginsCard(digits.charCodeAt(0)) && isCardNumber(digits)
}
