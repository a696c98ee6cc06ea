// Classifies the bytes of UTF-8 text as the patterns do, and compares the text around a position.

const bits = { word: 1, digit: 2, hex: 4, upper: 8, blank: 16, stop: 32 } as const

function makeKinds(): Uint8Array {
  const kinds = new Uint8Array(256)
  const put = (characters: string, bit: number): void => {
    for (const character of characters) kinds[character.charCodeAt(0)] = (kinds[character.charCodeAt(0)] ?? 0) | bit
  }
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  put('0123456789_', bits.word)
  put(upper, bits.word | bits.upper)
  put(upper.toLowerCase(), bits.word)
  put('0123456789', bits.digit)
  put('0123456789abcdefABCDEF', bits.hex)
  put(' \t\n\v\f\r', bits.blank)
  put(' \t\n\v\f\r"\',;<>(){}[]&', bits.stop)
  return kinds
}

const kinds: Readonly<Uint8Array> = makeKinds()

// Separate functions, not closures made by a function, so that V8 inlines them into the loops that call them.
/** `\w` of the patterns. Like all of these functions, it returns false beyond the end of the bytes. */
export const isWord = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.word) !== 0
export const isDigit = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.digit) !== 0
export const isHex = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.hex) !== 0
export const isUpper = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.upper) !== 0
export const isBlank = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.blank) !== 0
/** Whether the byte ends an unquoted value after `=`. */
export const isStop = (byte: number | undefined): boolean => ((kinds[byte as number] as number) & bits.stop) !== 0

export const backslash = 0x5c
export const doubleQuote = 0x22
const apostrophe = 0x27
export const isQuote = (byte: number | undefined): boolean => byte === doubleQuote || byte === apostrophe
/** Part of a character that is not ASCII. Some of these characters are blanks. */
export const isWide = (byte: number | undefined): boolean => (byte as number) > 0x7f

export const isAsciiLetter = (byte: number | undefined): boolean => {
  const lower = (byte as number) | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Whether a byte is this letter in any case. `letter` is lower case. */
export const isLetter = (byte: number | undefined, letter: number): boolean => ((byte as number) | 0x20) === letter

/** Whether `word` (lower case letters) is at `at`, in any case. */
export function hasWord(bytes: Uint8Array, at: number, end: number, word: string): boolean {
  if (at < 0 || at + word.length > end) return false
  for (let k = 0; k < word.length; k++) {
    if (((bytes[at + k] as number) | 0x20) !== word.charCodeAt(k)) return false
  }
  return true
}

/** Whether `word` (lower case letters) ends before `at`, in any case. */
export const endsWithWord = (bytes: Uint8Array, at: number, start: number, word: string): boolean =>
  at - word.length >= start && hasWord(bytes, at - word.length, at, word)

/** Whether `text` (ASCII) is at `at`. */
export function hasText(bytes: Uint8Array, at: number, end: number, text: string): boolean {
  if (at < 0 || at + text.length > end) return false
  for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text.charCodeAt(k)) return false
  return true
}

/** Whether a JSON escape of one letter, such as `\n`, ends before `at`. It is not part of a word that begins there. */
export const isBehindEscape = (bytes: Uint8Array, at: number, start: number): boolean =>
  at - 2 >= start && bytes[at - 2] === backslash && isWord(bytes[at - 1])

/** Returns how many consecutive bytes from `at` on `accept` accepts, at most `most`. */
export function countRun(
  bytes: Uint8Array,
  at: number,
  end: number,
  most: number,
  accept: (byte: number | undefined) => boolean,
): number {
  let count = 0
  while (count < most && at + count < end && accept(bytes[at + count])) count++
  return count
}

const [letterF, letterN, letterR, letterT, letterV] = [0x66, 0x6e, 0x72, 0x74, 0x76]

/** Letters that represent a blank when a backslash precedes them. */
export const isBlankLetter = (byte: number | undefined): boolean =>
  byte === letterN || byte === letterR || byte === letterT || byte === letterF || byte === letterV

/** 1 for the bytes of a gap; 2 for letters that belong to one when a backslash precedes them. */
const makeGaps = (isOther: (byte: number) => boolean): Readonly<Uint8Array> =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    if (isBlank(byte) || byte === backslash || isOther(byte)) return 1
    return isBlankLetter(byte) ? 2 : 0
  })
const blankGaps = makeGaps(() => false)
const quoteGaps = makeGaps(isQuote)

function skipBack(bytes: Uint8Array, at: number, start: number, gaps: Readonly<Uint8Array>): number {
  let last = at
  while (last > start) {
    const gap = gaps[bytes[last - 1] as number]
    if (gap === 1) last--
    else if (gap === 2 && last - 2 >= start && bytes[last - 2] === backslash) last -= 2
    else break
  }
  return last
}

/** Returns the start of the blanks, escaped blanks and backslashes before `at`. */
export const skipBlanksBack = (bytes: Uint8Array, at: number, start: number): number =>
  skipBack(bytes, at, start, blankGaps)

/** The same with the quotes. */
export const skipQuotesBack = (bytes: Uint8Array, at: number, start: number): number =>
  skipBack(bytes, at, start, quoteGaps)

/** `\\u00` followed by less than 80: an escaped ASCII character, which may be part of any find. */
export const isAsciiEscape = (bytes: Uint8Array, i: number): boolean =>
  bytes[i + 2] === 0x30 && bytes[i + 3] === 0x30 && (bytes[i + 4] as number) < 0x38
