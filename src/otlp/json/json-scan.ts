// Scans JSON byte by byte, strictly and without allocating, so that a part of it can be parsed separately.
import { Malformed } from '../intake/malformed.ts'

/**
 * A position in JSON bytes. `open` is scratch memory: for each open level, its opening byte. `isTooDeep`: the value that `skipValue` skipped
 * last is nested too deeply to be parsed.
 */
export type JsonCursor = { readonly bytes: Buffer; pos: number; readonly open: Uint8Array; isTooDeep: boolean }

/** Deeper than any value that is kept of a span, and shallow enough for the parser. */
const maxDepth = 2_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const maxKeyBytes = 128

const broken = (cursor: JsonCursor, at = cursor.pos) => new Malformed(`The JSON is malformed at byte offset ${at}.`)

const brokenString = (cursor: JsonCursor) =>
  new Malformed(`The JSON string at byte offset ${cursor.pos} is malformed or not closed.`)

export function openJson(body: Uint8Array): JsonCursor {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return { bytes, pos: 0, open: new Uint8Array(maxDepth), isTooDeep: false }
}

/** Skips white space and returns the next byte without consuming it; -1 at the end. */
function peek(cursor: JsonCursor): number {
  const { bytes } = cursor
  let byte = bytes[cursor.pos]
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++cursor.pos]
  return byte ?? -1
}

function take(cursor: JsonCursor, byte: number): void {
  if (peek(cursor) !== byte) throw broken(cursor)
  cursor.pos++
}

/** Throws Malformed if more than white space is left. */
export function requireEnd(cursor: JsonCursor): void {
  if (peek(cursor) !== -1) throw new Malformed(`Unexpected data follows the JSON value at byte offset ${cursor.pos}.`)
}

/** Throws Malformed unless the next value is an object. Null is not accepted. `name` names the value in that text. */
export function requireObject(cursor: JsonCursor, name: string): void {
  if (peek(cursor) !== openBrace) throw wrongType(cursor, name, 'an object')
}

/** Returns the error for a value of another type. Throws that of malformed JSON if the value is none. */
function wrongType(cursor: JsonCursor, name: string, what: string): Malformed {
  skipValue(cursor)
  return new Malformed(`${name} must be ${what}.`)
}

/**
 * Visits each member of the next value, an object named `name`; `visit` must consume the member's value. Null counts as an empty object.
 */
export function eachMember(cursor: JsonCursor, name: string, visit: (key: string) => void): void {
  if (skipNull(cursor)) return
  requireObject(cursor, name)
  cursor.pos++
  if (peek(cursor) === closeBrace) {
    cursor.pos++
    return
  }
  do {
    visit(takeKey(cursor))
  } while (takeSeparator(cursor, closeBrace))
}

/** Visits each item of the next value, an array named `name`; `visit` must consume the item. Null counts as an empty array. */
export function eachItem(cursor: JsonCursor, name: string, visit: () => void): void {
  if (skipNull(cursor)) return
  if (peek(cursor) !== openBracket) throw wrongType(cursor, name, 'an array')
  cursor.pos++
  if (peek(cursor) === closeBracket) {
    cursor.pos++
    return
  }
  do {
    visit()
  } while (takeSeparator(cursor, closeBracket))
}

/** Consumes a comma (returns true) or the closing byte (returns false). */
function takeSeparator(cursor: JsonCursor, close: number): boolean {
  const byte = peek(cursor)
  cursor.pos++
  if (byte === comma) return true
  if (byte === close) return false
  throw broken(cursor, cursor.pos - 1)
}

function skipNull(cursor: JsonCursor): boolean {
  if (peek(cursor) !== 0x6e) return false
  skipValue(cursor)
  return true
}

/** Consumes the next member name and its colon. Returns '' for a name that is longer than any known one. */
function takeKey(cursor: JsonCursor): string {
  if (peek(cursor) !== quote) throw broken(cursor)
  const start = cursor.pos
  skipString(cursor)
  const end = cursor.pos
  take(cursor, colon)
  if (end - start > maxKeyBytes) return ''
  const key = cursor.bytes.toString('latin1', start + 1, end - 1)
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key
}

/**
 * Skips the next value and returns its start. Every byte is checked, except for parts that are nested too deeply to be parsed. Throws
 * Malformed if the value is not JSON.
 */
export function skipValue(cursor: JsonCursor): number {
  const { open } = cursor
  cursor.isTooDeep = false
  let byte = peek(cursor)
  const start = cursor.pos
  let depth = 0
  for (;;) {
    if (byte === openBrace || byte === openBracket) {
      cursor.pos++
      if (peek(cursor) === byte + 2) cursor.pos++
      else if (depth === maxDepth) skipDeep(cursor)
      else {
        open[depth++] = byte
        if (byte === openBrace) skipKey(cursor)
        byte = peek(cursor)
        continue
      }
    } else if (byte === quote) skipString(cursor)
    else skipScalar(cursor)
    while (depth > 0 && !takeSeparator(cursor, (open[depth - 1] as number) + 2)) depth--
    if (depth === 0) return start
    if (open[depth - 1] === openBrace) skipKey(cursor)
    byte = peek(cursor)
  }
}

/** Moves behind the bracket that was opened last. It only counts brackets: this part will be refused, but the data behind it will not. */
function skipDeep(cursor: JsonCursor): void {
  const { bytes } = cursor
  cursor.isTooDeep = true
  for (let depth = 1; depth > 0; ) {
    const byte = bytes[cursor.pos]
    if (byte === undefined) throw broken(cursor)
    if (byte === quote) skipString(cursor)
    else cursor.pos++
    if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) depth--
  }
}

function skipKey(cursor: JsonCursor): void {
  if (peek(cursor) !== quote) throw broken(cursor)
  skipString(cursor)
  take(cursor, colon)
}

function skipString(cursor: JsonCursor): void {
  const { bytes } = cursor
  let at = cursor.pos + 1
  for (;;) {
    const byte = bytes[at++]
    if (byte === quote) break
    if (byte === undefined || byte < 0x20) throw brokenString(cursor)
    if (byte !== backslash) continue
    const escaped = bytes[at++]
    if (escaped === 0x75) {
      for (const end = at + 4; at < end; at++) if (!isHex(bytes[at])) throw brokenString(cursor)
    } else if (escaped === undefined || !escapes.has(escaped)) throw brokenString(cursor)
  }
  cursor.pos = at
}

const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66))

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** The maximum length of a number or literal. Longer numbers are refused. */
const maxScalarBytes = 1_100
const scalarPattern = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function skipScalar(cursor: JsonCursor): void {
  const { bytes } = cursor
  const start = cursor.pos
  let at = start
  while (isScalarByte(bytes[at])) at++
  if (at === start || at - start > maxScalarBytes) throw broken(cursor)
  // Fast path: most scalars are one digit.
  const isOneDigit = at === start + 1 && isDigit(bytes[start] as number)
  if (!isOneDigit && !scalarPattern.test(bytes.toString('latin1', start, at))) throw broken(cursor)
  cursor.pos = at
}

const isScalarByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  (isDigit(byte) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x45)
