// Checks whether a sign or a colon in a text may be part of an e-mail address, a URL with a secret, a phone number or an IPv6 address.
import {
  backslash,
  hasText,
  hasWord,
  isAsciiLetter,
  isBehindEscape,
  isBlank,
  isDigit,
  isHex,
  isWide,
  isWord,
} from './bytes.ts'

const [at, colon, dash, dot, slash] = [0x40, 0x3a, 0x2d, 0x2e, 0x2f]
/** The maximum bytes of user name and password in a URL. Longer ones are not redacted. */
const maxCredentialBytes = 2_048

const isLocal = (byte: number | undefined): boolean =>
  isWord(byte) || isWide(byte) || byte === dot || byte === dash || byte === 0x25 || byte === 0x2b

/** Also true for a backslash, with which an escaped letter begins. */
const isDomainLetter = (byte: number | undefined): boolean => isAsciiLetter(byte) || isWide(byte) || byte === backslash

/** `n`, `r` and `t` after a backslash represent a blank. */
const isBlankEscape = (bytes: Uint8Array, last: number, start: number): boolean =>
  isBehindEscape(bytes, last + 1, start) && (bytes[last] === 0x6e || bytes[last] === 0x72 || bytes[last] === 0x74)

function isMail(bytes: Uint8Array, i: number, start: number, end: number): boolean {
  if (i - 1 < start || !isLocal(bytes[i - 1]) || isBlankEscape(bytes, i - 1, start)) return false
  for (let next = i + 1; next < end; next++) {
    const byte = bytes[next]
    if (byte === dot) {
      if (next > i + 1 && next + 2 < end && isDomainLetter(bytes[next + 1]) && isDomainLetter(bytes[next + 2]))
        return true
    } else if (byte !== dash && byte !== backslash && !isWide(byte) && (!isWord(byte) || byte === 0x5f)) return false
  }
  return false
}

/** `://user:password@`, where the slashes may be escaped. For a password with `@`, the first `@` is the one that matches. */
function isUrlPassword(bytes: Uint8Array, i: number, start: number): boolean {
  let open = i - 1
  let hasColon = false
  for (; open >= start && i - open < maxCredentialBytes; open--) {
    const byte = bytes[open]
    if (byte === slash || byte === at || isBlank(byte)) break
    hasColon ||= byte === colon
  }
  return (
    hasColon && open > start && bytes[open] === slash && (bytes[open - 1] === slash || bytes[open - 1] === backslash)
  )
}

/** Whether the `@` at `i` belongs to an e-mail address or to a URL with a password. */
const isSuspiciousAt = (bytes: Uint8Array, i: number, start: number, end: number): boolean =>
  isMail(bytes, i, start, end) || isUrlPassword(bytes, i, start)

const [question, ampersand, percent, plus] = [0x3f, 0x26, 0x25, 0x2b]
/** Names of URL parameters that are ordinary words elsewhere. */
const secretParameters = ['key=', 'sig=', 'signature=', 'auth=']
const [maxPhoneBytes, minPhoneDigits] = [48, 8]

function isPhone(bytes: Uint8Array, i: number, end: number): boolean {
  if (!isDigit(bytes[i + 1])) return false
  let digits = 0
  for (let next = i + 1; next < end && next - i < maxPhoneBytes; next++) if (isDigit(bytes[next])) digits++
  return digits >= minPhoneDigits
}

/** The signs for which `isSuspiciousSign` is called. */
const suspiciousSigns = '@?&%+'

/** Whether the sign at `i` may be part of an address, a URL with a password or a key, or a phone number. */
export function isSuspiciousSign(bytes: Uint8Array, i: number, start: number, end: number): boolean {
  const sign = bytes[i]
  if (sign === at) return isSuspiciousAt(bytes, i, start, end)
  if (sign === percent)
    return hasText(bytes, i + 1, end, '40') || (hasWord(bytes, i + 1, end, '2b') && isPhone(bytes, i + 2, end))
  if (sign === plus) return isPhone(bytes, i, end)
  const isParameter = sign === question || sign === ampersand
  return isParameter && secretParameters.some((name) => hasWord(bytes, i + 1, end, name))
}

/** Whether a run of colons and hexadecimal digits may be an IPv6 address. `at` is its first colon, `last` its end. */
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

/** Returns the end of the run of colons and hexadecimal digits at `at`. */
export function endOfColons(bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && (bytes[next] === colon || isHex(bytes[next]))) next++
  return next
}

const signs: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) =>
  suspiciousSigns.includes(String.fromCharCode(byte)) ? 1 : 0,
)
export const isSign = (byte: number): boolean => signs[byte] === 1
