// Decides from the bytes of a text, in one pass, whether redaction could change it. A false "no" is a leak, a false "yes" costs time.

import { maxTextLength } from './cut-text.ts'
import { endsBefore, isKnownKey, isSeparator } from './known-keys.ts'
import { sensitivityOf } from './sensitive-keys.ts'
import { endOfColons, isAddress6, isSign, isSuspiciousSign, suspiciousSigns } from './suspicious-addresses.ts'
import {
  backslash,
  countRun,
  hasText,
  hasWord,
  isAsciiEscape,
  isAsciiLetter,
  isDigit,
  isHex,
  isLetter,
} from './suspicious-bytes.ts'
import { hasCodeLabel, readDigits } from './suspicious-codes.ts'
import {
  isApiKey,
  isAwsKey,
  isBeforeCredentials,
  isDatabricksKey,
  isGithubToken,
  isGoogleKey,
  isSlackToken,
  isWebhook,
  isWebToken,
} from './suspicious-keys.ts'
import { endOfDigits, isCardValue } from './suspicious-numbers.ts'
import { isBeforeSqlText, isIdentifiedBy } from './suspicious-sql.ts'
import {
  hasLabelledMember,
  isAssigned,
  isLabelledMember,
  isQuotedAssigned,
  isSecretKey,
  isSecretMember,
  isSecretToken,
} from './suspicious-words.ts'

const digits = '0123456789'
const anything = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')
const wordBytes = `${digits}_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`

/**
 * The pairs of bytes at which a text is examined: signs, and rare pairs of letters from the words that announce secrets. Each line lists the
 * possible first bytes and the possible second bytes of its pairs.
 */
const pairs: readonly (readonly [string, string])[] = [
  // Numbers of more than one digit; addresses; numbers with an exponent.
  [digits, `${digits}.eE`],
  [':', ':0123456789abcdefABCDEF'],
  // Addresses, parameters of URLs, phone numbers.
  [suspiciousSigns, anything],
  // \u; github_pat_
  ['\\h', 'u'],
  // token, key, cookie; sk-, rk_; docker
  ['kK', 'eEiI-_'],
  // password, passphrase, pwd; dapi
  ['pP', 'aAwWi'],
  // secret, credential; curl; basic
  ['cC', `rRu \t\n\v\f\r\\${anything.slice(128)}`],
  // bearer; identified by
  ['bB', 'eEyY'],
  // authorization, AIza; redis-cli; form-data
  ['zZ-', 'aAcdD'],
  // eyJ
  ['J', `${wordBytes}-`],
  // AKIA, ASIA; mariadb; ConnectionString
  ['Idn', 'AbS'],
  // ghp_
  ['g', 'h'],
  // xoxb-; mysql
  ['xq', 'ol'],
  // Keys with a known prefix; connection_string.
  [`${endsBefore('-_')}nN`, '-_'],
  // The same; the addresses of webhooks. Sentences contain more stops than other separators.
  [`${endsBefore('.')}nNks`, '.'],
]
/** Added after a word that names of secrets contain: from then on any colon may follow such a name. */
const anyColon: (typeof pairs)[number] = [':', anything]
const allPairs = [...pairs, anyColon]
const always = (1 << pairs.length) - 1
const behindWord = (1 << allPairs.length) - 1

/** Returns for each byte, as bits, the pairs that may begin (lower half) and end (upper half) with it. */
function makeTable(): Int32Array {
  const table = new Int32Array(256)
  const put = (characters: string, bit: number): void => {
    for (const character of characters) {
      const byte = character.charCodeAt(0)
      table[byte] = (table[byte] as number) | bit
    }
  }
  for (const [nth, [first, second]] of allPairs.entries()) {
    put(first, 1 << nth)
    put(second, 1 << (nth + 16))
  }
  return table
}

const table: Readonly<Int32Array> = makeTable()

/** Returns the next index from `from` on at which one of the pairs in `which` begins; `last` if none begins before it. The hot loop. */
function findPair(bytes: Uint8Array, from: number, last: number, which: number): number {
  let first = table[bytes[from] as number] as number
  for (let i = from; i < last; i++) {
    const second = table[bytes[i + 1] as number] as number
    if ((first & (second >>> 16) & which) !== 0) return i
    first = second
  }
  return last
}

const [dash, colon, bigI, bigJ] = [0x2d, 0x3a, 0x49, 0x4a]
const [letterB, letterC, letterD, letterE, letterG, letterH] = [0x62, 0x63, 0x64, 0x65, 0x67, 0x68]
const [letterI, letterK, letterN, letterP, letterR, letterS] = [0x69, 0x6b, 0x6e, 0x70, 0x72, 0x73]
const [letterQ, letterW, letterX, letterY, letterZ] = [0x71, 0x77, 0x78, 0x79, 0x7a]

/** The result for a letter: part of no such word; of a word that names of secrets contain; of a secret, or a word that one may follow. */
type Found = 'nothing' | 'word' | 'secret'

const judge = (isSecret: boolean): Found => (isSecret ? 'secret' : 'word')

function readK(bytes: Uint8Array, i: number, start: number, end: number, fresh: number): Found {
  if (isLetter(bytes[i + 1], letterE)) {
    if (isLetter(bytes[i + 2], letterY)) {
      if (hasText(bytes, i - 8, end, 'PRIVATE KEY')) return 'secret'
      return isSecretKey(bytes, i, start, fresh) ? judge(isAssigned(bytes, i + 3, start, end, false)) : 'nothing'
    }
    // The password of `docker login -p` may be anywhere after it.
    if (isLetter(bytes[i + 2], letterR)) return hasText(bytes, i - 3, end, 'docker login') ? 'secret' : 'nothing'
    if (isLetter(bytes[i + 2], letterN) && hasWord(bytes, i - 2, end, 'token')) {
      if (!isSecretToken(bytes, i - 2, start, fresh)) return 'nothing'
      return judge(isAssigned(bytes, i + 3, start, end, false))
    }
  } else if (isLetter(bytes[i + 1], letterI) && hasWord(bytes, i - 3, end, 'cookie')) {
    return judge(isAssigned(bytes, i + 3, start, end, true))
  }
  return 'nothing'
}

/** Returns the length of the word for a password at `i`; 0 if there is none. */
function countPassWord(bytes: Uint8Array, i: number, end: number): number {
  if (isLetter(bytes[i + 1], letterW)) return hasWord(bytes, i, end, 'pwd') ? 3 : 0
  if (!hasWord(bytes, i, end, 'pass')) return 0
  if (hasWord(bytes, i + 4, end, 'word')) return 8
  if (hasWord(bytes, i + 4, end, 'wd')) return 6
  if (hasWord(bytes, i + 4, end, 'phrase')) return 10
  return hasWord(bytes, i + 4, end, 'code') ? 8 : 4
}

function readP(bytes: Uint8Array, i: number, start: number, end: number): Found {
  if (isDatabricksKey(bytes, i, end)) return 'secret'
  // The password of `sshpass -p` follows it.
  if (hasText(bytes, i - 3, end, 'sshpass')) return 'secret'
  const length = countPassWord(bytes, i, end)
  if (length === 0) return 'nothing'
  return judge(isBeforeSqlText(bytes, i + length, end) || isAssigned(bytes, i + length, start, end, false, 1))
}

function readC(bytes: Uint8Array, i: number, start: number, end: number): Found {
  if (isLetter(bytes[i + 1], letterR)) {
    if (hasWord(bytes, i - 2, end, 'secret')) return judge(isAssigned(bytes, i + 4, start, end, false))
    if (!hasWord(bytes, i, end, 'credential')) return 'nothing'
    return judge(isQuotedAssigned(bytes, i + 10, start, end) || isQuotedAssigned(bytes, i + 11, start, end))
  }
  // The credentials of `curl -u` may be anywhere after it.
  if (hasText(bytes, i, end, 'curl')) return 'secret'
  const isBasic = isLetter(bytes[i - 1], letterI) && hasWord(bytes, i - 4, end, 'basic')
  return isBasic && isBeforeCredentials(bytes, i + 1, end) ? 'secret' : 'nothing'
}

function readZ(bytes: Uint8Array, i: number, start: number, end: number): Found {
  if (isGoogleKey(bytes, i, end)) return 'secret'
  return hasWord(bytes, i - 7, end, 'authorization') ? judge(isAssigned(bytes, i + 6, start, end, true)) : 'nothing'
}

/** Whether the word `connection` ends at `i`. The letter behind it rules out most sentences. */
const isConnection = (bytes: Uint8Array, i: number, end: number): boolean =>
  isLetter(bytes[i], letterN) && isLetter(bytes[i + 2], letterS) && hasWord(bytes, i - 9, end, 'connection')

/** `connection_string` or `ConnectionString`, whose first word ends at `i`. */
function readConnection(bytes: Uint8Array, i: number, start: number, end: number): Found {
  const string = isSeparator(bytes[i + 1] as number) ? i + 2 : i + 1
  if (!hasWord(bytes, i - 9, end, 'connection') || !hasWord(bytes, string, end, 'string')) return 'nothing'
  return judge(isQuotedAssigned(bytes, string + 6, start, end))
}

function readLetter(bytes: Uint8Array, i: number, start: number, end: number, fresh: number): Found {
  const byte = bytes[i] as number
  let isSecret = false
  switch (byte | 0x20) {
    case letterK:
      if (isApiKey(bytes, i, start, end, fresh)) return 'secret'
      return readK(bytes, i, start, end, fresh)
    case letterP:
      return readP(bytes, i, start, end)
    case letterC:
      return readC(bytes, i, start, end)
    case letterZ:
      return readZ(bytes, i, start, end)
    case letterN:
      return readConnection(bytes, i, start, end)
    case letterB:
      isSecret = isLetter(bytes[i + 1], letterY)
        ? isIdentifiedBy(bytes, i, start)
        : hasWord(bytes, i, end, 'bearer') && isBeforeCredentials(bytes, i + 6, end)
      break
    case letterX:
      isSecret = isSlackToken(bytes, i, end)
      break
    case letterQ:
      // The password of `mysql -p` may be anywhere after it.
      isSecret = hasText(bytes, i - 3, end, 'mysql')
      break
    case letterD:
      isSecret = hasText(bytes, i - 5, end, 'mariadb')
      break
    case dash:
      isSecret = hasText(bytes, i - 5, end, 'redis-cli') || hasWord(bytes, i - 4, end, 'form-data;')
      break
    default:
      if (byte === letterG || byte === letterH) isSecret = isGithubToken(bytes, i, end)
      else if (byte === bigJ) isSecret = isWebToken(bytes, i, start, end)
      else if (byte === bigI) isSecret = isAwsKey(bytes, i, end)
  }
  return isSecret ? 'secret' : 'nothing'
}

/** Letters that are examined before a separator only because the prefix of a known key may end there. */
const endsOnlyWords = (byte: number): boolean => isAsciiLetter(byte) && !isLetter(byte, letterK) && byte !== bigJ

/**
 * Returns false only if a redactor would change nothing in the UTF-8 text (or the bytes value) from `start` to `end`: by its patterns, as
 * JSON, or as JSON inside JSON. Call it for the text that is stored: a cut text is a different one. Takes about 1 ns a byte, and at most a
 * constant time a byte.
 */
export function isSuspicious(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > maxTextLength) return true
  if (end - start < 2) return false
  const last = end - 1
  let which = always
  let word = -1
  let fresh = -1
  let colonsEnd = -1
  let hasNoCodeLabel = false
  for (let i = findPair(bytes, start, last, which); i < last; i = findPair(bytes, i + 1, last, which)) {
    const byte = bytes[i] as number
    if (isSeparator(bytes[i + 1] as number)) {
      if (isKnownKey(bytes, i + 1, start, end) || isWebhook(bytes, i + 1, end)) return true
      if (endsOnlyWords(byte) && !isConnection(bytes, i, end)) continue
    }
    if (isDigit(byte)) {
      const digitsEnd = endOfDigits(bytes, i, end)
      const found = readDigits(bytes, i, digitsEnd, start, end, fresh)
      if (found === 'secret') return true
      if (found === 'label') {
        if (!hasNoCodeLabel && hasCodeLabel(bytes, start, end)) return true
        hasNoCodeLabel = true
      }
      if (isSeparator(bytes[digitsEnd] as number) && isKnownKey(bytes, digitsEnd, start, end)) return true
      i = digitsEnd - 1
    } else if (byte === colon) {
      if (i >= colonsEnd) {
        colonsEnd = endOfColons(bytes, i, end)
        if (isAddress6(bytes, i, start, colonsEnd)) return true
      }
      if (word !== -1 && (isLabelledMember(bytes, i, start) || isSecretMember(bytes, i, word, start, end))) return true
    } else if (isSign(byte)) {
      if (isSuspiciousSign(bytes, i, start, end)) return true
    } else if (byte === backslash) {
      if (countRun(bytes, i + 2, end, 4, isHex) < 4) continue
      if (isAsciiEscape(bytes, i)) return true
      fresh = i + 6
      i += 5
    } else {
      const found = readLetter(bytes, i, start, end, fresh)
      if (found === 'secret') return true
      if (found === 'word') {
        // The value may precede the member that names it. Behind the first word, the colons are examined.
        if (word === -1 && hasLabelledMember(bytes, start, i)) return true
        word = i
        which = behindWord
      }
    }
  }
  return isSign(bytes[last] as number) && isSuspiciousSign(bytes, last, start, end)
}

/** True if the name of an attribute or member would be redacted itself, or promises a secret as its value. */
export function isSuspiciousKey(key: string): boolean {
  if (sensitivityOf(key) !== 'no') return true
  const bytes = Buffer.from(key)
  return isSuspicious(bytes, 0, bytes.length)
}

/** True if a number would be redacted. */
export const isSuspiciousNumber = (value: number | bigint): boolean => isCardValue(value)
