// Checks whether text with the prefix of a known kind of key or token, or behind the name of its scheme, may be one.
import { areRandomBytes, endOfByteRun, leastApiKey, mostLooked } from '../random-run.ts'
import {
  backslash,
  countRun,
  hasText,
  isBehindEscape,
  isBlank,
  isBlankLetter,
  isDigit,
  isHex,
  isUpper,
  isWide,
  isWord,
} from './bytes.ts'

const [dash, underscore, equals] = [0x2d, 0x5f, 0x3d]
const [letterG, letterR, letterS, letterU] = [0x67, 0x72, 0x73, 0x75]

const isWordOrDash = (byte: number | undefined): boolean => isWord(byte) || byte === dash
const isAlphanumeric = (byte: number | undefined): boolean => isWord(byte) && byte !== underscore
const isAlphanumericOrDash = (byte: number | undefined): boolean => isAlphanumeric(byte) || byte === dash
const isUpperOrDigit = (byte: number | undefined): boolean => isUpper(byte) || isDigit(byte)

type Accept = (byte: number | undefined) => boolean

const hasRun = (bytes: Uint8Array, first: number, end: number, length: number, accept: Accept): boolean =>
  countRun(bytes, first, end, length, accept) === length

/** Whether no letter or digit precedes `first`. `fresh` is the end of the last `\u` escape of JSON, which does not count. */
const beginsRun = (bytes: Uint8Array, first: number, start: number, fresh: number): boolean =>
  first === start || first === fresh || !isAlphanumeric(bytes[first - 1]) || isBehindEscape(bytes, first, start)

/** `sk-…` and `rk_…`, whose `k` is at `i`. */
export function isApiKey(bytes: Uint8Array, i: number, start: number, end: number, fresh: number): boolean {
  if (bytes[i + 1] !== dash && bytes[i + 1] !== underscore) return false
  const before = bytes[i - 1]
  if (i - 1 < start || (before !== letterS && before !== letterR) || !beginsRun(bytes, i - 1, start, fresh))
    return false
  const looked = endOfByteRun(bytes, i + 2, Math.min(end, i + 2 + mostLooked))
  return looked - i - 2 >= leastApiKey && areRandomBytes(bytes, i + 2, looked)
}

/** `eyJ…`, whose `J` is at `i`: a token, or JSON as base64. */
export const isWebToken = (bytes: Uint8Array, i: number, start: number, end: number): boolean =>
  i - 2 >= start && hasText(bytes, i - 2, end, 'eyJ') && hasRun(bytes, i + 1, end, 8, isWordOrDash)

/** `dapi…`, whose `p` is at `i`. */
export const isDatabricksKey = (bytes: Uint8Array, i: number, end: number): boolean =>
  hasText(bytes, i - 2, end, 'dapi') && hasRun(bytes, i + 2, end, 32, isHex)

/** `AKIA…` and `ASIA…`, whose `I` is at `i`. */
export const isAwsKey = (bytes: Uint8Array, i: number, end: number): boolean =>
  (hasText(bytes, i - 2, end, 'AKIA') || hasText(bytes, i - 2, end, 'ASIA')) &&
  hasRun(bytes, i + 2, end, 16, isUpperOrDigit)

/** `AIza…`, whose `z` is at `i`. */
export const isGoogleKey = (bytes: Uint8Array, i: number, end: number): boolean =>
  hasText(bytes, i - 2, end, 'AIza') && hasRun(bytes, i + 2, end, 35, isWordOrDash)

/** `ghp_…` and similar tokens, whose `g` is at `i`, and `github_pat_…`, whose `h` is at `i`. */
export function isGithubToken(bytes: Uint8Array, i: number, end: number): boolean {
  if (bytes[i] === letterG) {
    const kind = String.fromCharCode(bytes[i + 2] as number)
    return bytes[i + 3] === underscore && 'pousr'.includes(kind) && hasRun(bytes, i + 4, end, 36, isAlphanumeric)
  }
  return hasText(bytes, i - 3, end, 'github_pat_') && hasRun(bytes, i + 8, end, 22, isWord)
}

/** `xoxb-…` and similar tokens, whose first `x` is at `i`. */
export const isSlackToken = (bytes: Uint8Array, i: number, end: number): boolean =>
  hasText(bytes, i, end, 'xox') &&
  bytes[i + 4] === dash &&
  'abeoprs'.includes(String.fromCharCode(bytes[i + 3] as number)) &&
  hasRun(bytes, i + 5, end, 10, isAlphanumericOrDash)

/** Whether the dot at `at` is in the host of a webhook. */
export const isWebhook = (bytes: Uint8Array, at: number, end: number): boolean =>
  bytes[at] === 0x2e &&
  (hasText(bytes, at - 5, end, 'hooks.slack.com') || hasText(bytes, at - 7, end, 'webhook.office.com'))

/** The least characters of the credentials behind `bearer` and `basic`. */
const minBearer = 8

const isBearerByte = (byte: number | undefined): boolean =>
  isWord(byte) ||
  byte === 0x2b ||
  byte === 0x2f ||
  byte === equals ||
  byte === 0x2e ||
  byte === 0x7e ||
  byte === dash ||
  byte === backslash

/** Whether credentials follow the word `bearer` or `basic` that ends at `at`. */
export function isBeforeCredentials(bytes: Uint8Array, at: number, end: number): boolean {
  const first = bytes[at]
  if (at >= end || !(isBlank(first) || first === backslash || isWide(first))) return false
  let next = at
  while (next < end && (isBlank(bytes[next]) || bytes[next] === backslash || isWide(bytes[next]))) {
    next++
    if (bytes[next - 1] !== backslash) continue
    if (bytes[next] === letterU) return true
    if (isBlankLetter(bytes[next])) next++
  }
  let hasSign = false
  let length = 0
  for (; next + length < end && isBearerByte(bytes[next + length]); length++) {
    hasSign ||= isDigit(bytes[next + length]) || bytes[next + length] === equals
    if (hasSign && length + 1 >= minBearer) return true
  }
  return false
}
