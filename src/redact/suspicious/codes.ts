// Checks whether digits in a text may be a code such as a PIN, from the name before them.
import {
  backslash,
  doubleQuote,
  endsWithWord,
  isAsciiLetter,
  isBlank,
  isDigit,
  isQuote,
  skipQuotesBack,
} from './bytes.ts'
import { cardGroup, isSuspiciousDigits, minCardDigits } from './numbers.ts'

/** The least bytes of a code, and of a name with its sign. */
const [minCode, minName] = [3, 4]
const [dot, percent, colon, equals] = [0x2e, 0x25, 0x3a, 0x3d]
const [letterA, letterD, letterE, letterF, letterR] = [0x61, 0x64, 0x65, 0x66, 0x72]
const [digit1, digit3, digit5, wideColon, wideEquals] = [0x31, 0x33, 0x35, 0x9a, 0x9d]
/** More bytes between the words of a name count as suspicious. */
const maxGap = 64

/** Returns the end of the letters and digits before `at`: `pin!`, `otp[]` and `\"pin\"` name codes, too. */
function skipSignsBack(bytes: Uint8Array, at: number, start: number): number {
  let last = at
  while (
    last > start &&
    at - last < maxGap &&
    (bytes[last - 1] !== doubleQuote || bytes[last - 2] === backslash) &&
    !isAsciiLetter(bytes[last - 1]) &&
    !isDigit(bytes[last - 1])
  )
    last--
  return last
}

const codeWords = ['pin', 'otp', 'ssn', 'cvv', 'cvc']

/** Whether a word that makes the following `code` or `number` secret ends before `at`, with any signs between them. */
function isKind(bytes: Uint8Array, at: number, start: number): boolean {
  let last = at
  for (; last > start; last--) {
    const byte = bytes[last - 1]
    // An escape may stand for any sign, and its last characters look like a word.
    if (byte === backslash || at - last > maxGap || bytes.subarray(Math.max(start, last - 6), last).includes(backslash))
      return true
    if (byte === doubleQuote) return false
    if (isAsciiLetter(byte) || isDigit(byte)) break
  }
  return [...codeWords, 'verification', 'security'].some((word) => endsWithWord(bytes, last, start, word))
}

/** The name of a value that another member may name, as in `{"name": "pin", "value": "1234"}`. */
const label = 'value'

/** The last two letters of the words that end names of codes, and of `label`. */
const wordEnds: Uint8Array = new Uint8Array(1_024)
const endOf = (first: number, second: number): number => ((first & 0x1f) << 5) | (second & 0x1f)
for (const word of [...codeWords, 'code', 'number', label]) {
  wordEnds[endOf(word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1))] = 1
}

/** Rules out most names from their last two letters. */
const mayEndName = (bytes: Uint8Array, at: number): boolean =>
  isDigit(bytes[at - 1]) || wordEnds[endOf(bytes[at - 2] as number, bytes[at - 1] as number)] === 1

/** Whether a name of codes ends before `at`. */
function isCodeName(bytes: Uint8Array, at: number, start: number): boolean {
  let last = at
  while (last > start && isDigit(bytes[last - 1])) last--
  switch ((bytes[last - 1] as number) | 0x20) {
    case letterE:
      return endsWithWord(bytes, last, start, 'code') && isKind(bytes, last - 4, start)
    case letterR:
      return endsWithWord(bytes, last, start, 'number') && isKind(bytes, last - 6, start)
    default:
      return codeWords.some((word) => endsWithWord(bytes, last, start, word))
  }
}

const oddName =
  /(?:pin|otp|ssn|cv[vc]|code|number)\d?(?:\\{0,3}["']|%(?:25){0,2}22)?[\s\\nrt]*(?:[:=]|\xef\xbc[\x9a\x9d]|\\uff1[ad]|%(?:25){0,2}3[ad])[\s\\nrt]*["']?%?$/i
const maxOddName = 96

/** As `isCodeName`, for a name before a sign other than `:` and `=`. */
function hasOddName(bytes: Uint8Array, at: number, start: number): boolean {
  const first = Math.max(start, at - maxOddName)
  return oddName.test(Buffer.from(bytes.buffer, bytes.byteOffset + first, at - first).toString('latin1'))
}

/** `label`: the digits are secret if another member names a code. */
type DigitsFound = 'nothing' | 'label' | 'secret'

/** 1 for the bytes that may precede a code: blanks, quotes, signs, and the last bytes of escapes and of odd signs. */
const fronts: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) =>
  ' \t\n\v\f\r"\'\\:=%nrtvfdDaA\u009d\u009a'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/** Rules out most numbers from their length and the bytes before them. */
function mayBeCode(bytes: Uint8Array, at: number, last: number, start: number, end: number): boolean {
  if (last - at < minCode) {
    const next = last < end ? (bytes[last] as number) : 0
    if (next !== dot && (next | 0x20) !== letterE) return false
  }
  if (at - minName < start || fronts[bytes[at - 1] as number] === 0) return false
  return (
    bytes[at - 1] !== colon ||
    bytes[at - 2] !== doubleQuote ||
    bytes[at - 3] === backslash ||
    mayEndName(bytes, skipSignsBack(bytes, at - 2, start))
  )
}

/** Whether the byte at `last` ends a sign as in URLs (`%3D`, `%253a`) or as wide as a Chinese character, or begins `%22`. */
function mayEndOddSign(bytes: Uint8Array, last: number): boolean {
  const byte = bytes[last] as number
  if (byte === percent || byte === wideColon || byte === wideEquals) return true
  if ((byte | 0x20) !== letterA && (byte | 0x20) !== letterD) return false
  const before = bytes[last - 2] as number
  if (bytes[last - 1] === digit3) return before === percent || before === digit5
  return bytes[last - 1] === digit1 && (before | 0x20) === letterF
}

/** Returns whether the digits from `at` on, for which `mayBeCode` is true, may be a code. They end at `last`. */
function findCodeName(bytes: Uint8Array, at: number, start: number): DigitsFound {
  const sign = skipQuotesBack(bytes, at, start) - 1
  if (sign - start < minName - 1) return 'nothing'
  const byte = bytes[sign] as number
  if (byte !== colon && byte !== equals) {
    return mayEndOddSign(bytes, sign) && hasOddName(bytes, at, start) ? 'secret' : 'nothing'
  }
  const name = skipSignsBack(bytes, skipQuotesBack(bytes, sign, start), start)
  if (name - start < minName - 1 || !mayEndName(bytes, name)) return 'nothing'
  if (isCodeName(bytes, name, start)) return 'secret'
  return endsWithWord(bytes, name, start, label) ? 'label' : 'nothing'
}

/** What a byte beside digits may belong to: before them, a code or an account; behind them, a longer number or a card in groups. */
const beside = { code: 1, account: 2, oddSign: 4, longer: 8, group: 16 } as const

const around: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isGroup = byte === 0x20 || byte === 0x2d
  const isLonger = byte === dot || (byte | 0x20) === letterE
  const isOdd = (byte | 0x20) === letterA || (byte | 0x20) === letterD
  return (
    (fronts[byte] === 1 ? beside.code : 0) |
    (isAsciiLetter(byte) ? beside.account : 0) |
    (isOdd ? beside.oddSign : 0) |
    (isLonger ? beside.longer : 0) |
    (isGroup ? beside.group : 0)
  )
})

/**
 * Whether a few comparisons show that `readDigits` finds nothing in the digits from `at` to `last`: they are too few for a card, nothing
 * continues them, and what precedes them neither names a code nor begins an account. True of most dates, amounts and parts of ids.
 */
export function isPlainNumber(
  bytes: Uint8Array,
  at: number,
  last: number,
  start: number,
  end: number,
  fresh: number,
): boolean {
  if (at - 2 < start || at === fresh || last - at >= minCardDigits) return false
  const before = around[bytes[at - 1] as number] as number
  const second = bytes[at - 2] as number
  if ((before & beside.account) !== 0) {
    // Within a word, only an account or a code behind an encoded sign is found: `%3d123`.
    if (!isDigit(second)) return false
    return (before & beside.oddSign) === 0 || (second !== digit3 && second !== digit1)
  }
  const next = last < end ? (around[bytes[last] as number] as number) : 0
  if ((next & beside.longer) !== 0 && !isFraction(bytes, last)) return false
  if (last - at === cardGroup && (next & beside.group) !== 0 && isDigit(bytes[last + 3])) return false
  const mayBeLong = last - at >= minCode || (next & beside.longer) !== 0
  return !mayBeLong || (before & beside.code) === 0 || isBehindOrdinary(bytes, at, start)
}

/** Whether a dot at `last` begins a fraction that no exponent follows, and no other dot as in an address. */
function isFraction(bytes: Uint8Array, last: number): boolean {
  if (bytes[last] !== dot) return false
  let next = last + 1
  while (isDigit(bytes[next])) next++
  return ((around[bytes[next] as number] as number) & beside.longer) === 0
}

/** Whether the byte before the digits at `at` is a blank or a quote, and the ones before it are no sign, of any spelling, behind a name. */
function isBehindOrdinary(bytes: Uint8Array, at: number, start: number): boolean {
  if (!isBlank(bytes[at - 1]) && !isQuote(bytes[at - 1])) return false
  const second = bytes[at - 2] as number
  if (fronts[second] === 0) return true
  // Letters count only as the end of an escaped blank or of an encoded sign.
  const third = bytes[at - 3] as number
  return isAsciiLetter(second) && at - 3 >= start && third !== backslash && third !== digit3 && third !== digit1
}

/** Returns whether the digits from `at` to `last`, together with the bytes around them, may be redacted. `fresh` as in `isSuspiciousDigits`. */
export function readDigits(
  bytes: Uint8Array,
  at: number,
  last: number,
  start: number,
  end: number,
  fresh: number,
): DigitsFound {
  if (isSuspiciousDigits(bytes, at, last, start, end, fresh)) return 'secret'
  return mayBeCode(bytes, at, last, start, end) ? findCodeName(bytes, at, start) : 'nothing'
}

const labelWords = /pin|otp|ssn|cv[vc]|verification|social/i

/** Whether a text contains a name of codes, which may stand before or behind the code. Costs one pass. */
export const hasCodeLabel = (bytes: Uint8Array, start: number, end: number): boolean =>
  labelWords.test(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'))
