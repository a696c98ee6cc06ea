// Floor 1. Whether an `@` or a colon in a text may be part of an e-mail address, a password in a URL or an IPv6 address.
import { backslash, isAsciiLetter, isBehindEscape, isBlank, isHex, isWord } from './suspicious-bytes.ts'

const [at, colon, dash, dot, slash] = [0x40, 0x3a, 0x2d, 0x2e, 0x2f]
/** Bytes of a user name and of a password in a URL that are looked at; more characters are not redacted. */
const maxUserBytes = 1_024
const maxPasswordBytes = 2_048

const isLocal = (byte: number | undefined): boolean =>
  isWord(byte) || byte === dot || byte === dash || byte === 0x25 || byte === 0x2b

/** `n`, `r` and `t` behind a backslash stand for a blank. */
const isBlankEscape = (bytes: Uint8Array, last: number, start: number): boolean =>
  isBehindEscape(bytes, last + 1, start) && (bytes[last] === 0x6e || bytes[last] === 0x72 || bytes[last] === 0x74)

function isMail(bytes: Uint8Array, i: number, start: number, end: number): boolean {
  if (i - 1 < start || !isLocal(bytes[i - 1]) || isBlankEscape(bytes, i - 1, start)) return false
  for (let next = i + 1; next < end; next++) {
    const byte = bytes[next]
    if (byte === dot) {
      if (next > i + 1 && next + 2 < end && isAsciiLetter(bytes[next + 1]) && isAsciiLetter(bytes[next + 2]))
        return true
    } else if (byte !== dash && (!isWord(byte) || byte === 0x5f)) return false
  }
  return false
}

/** `://user:password@`, the slashes perhaps escaped; the password ends before `i`. */
function isUrlPassword(bytes: Uint8Array, i: number, start: number): boolean {
  const isPart = (byte: number | undefined): boolean =>
    !(isBlank(byte) || byte === slash || byte === colon || byte === at)
  let sign = i - 1
  while (sign >= start && i - sign < maxPasswordBytes && isPart(bytes[sign])) sign--
  if (sign < start || sign === i - 1 || bytes[sign] !== colon) return false
  let open = sign - 1
  while (open >= start && sign - open < maxUserBytes && isPart(bytes[open])) open--
  return open > start && bytes[open] === slash && (bytes[open - 1] === slash || bytes[open - 1] === backslash)
}

/** Whether the `@` at `i` is that of an e-mail address or of a URL with a password. */
export const isSuspiciousAt = (bytes: Uint8Array, i: number, start: number, end: number): boolean =>
  isMail(bytes, i, start, end) || isUrlPassword(bytes, i, start)

/** Whether the row of colons and hexadecimal digits of which the colon at `at` is the first may be an IPv6 address. */
export function isAddress6(bytes: Uint8Array, at: number, start: number, last: number): boolean {
  let groups = at > start && isHex(bytes[at - 1]) ? 1 : 0
  let colons = 0
  let doubles = 0
  for (let next = at; next < last; next++) {
    if (bytes[next] !== colon) continue
    colons++
    if (next + 1 < last && bytes[next + 1] === colon) doubles++
    else if (next + 1 < last) groups++
  }
  return groups > 2 && (doubles === 1 || (doubles === 0 && colons >= 7))
}

/** Behind the row of colons and hexadecimal digits at `at`. */
export function endOfColons(bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && (bytes[next] === colon || isHex(bytes[next]))) next++
  return next
}
