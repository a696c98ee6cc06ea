// Checks whether a letter in a text belongs to a word that announces a secret, or to the prefix of a key.
import { isSeparator } from '../known-keys.ts'
import { hasText, hasWord, isLetter } from './bytes.ts'
import {
  isApiKey,
  isAwsKey,
  isBeforeCredentials,
  isDatabricksKey,
  isGithubToken,
  isGoogleKey,
  isSlackToken,
  isWebToken,
} from './keys.ts'
import { isBeforeSqlText, isIdentifiedBy } from './sql.ts'
import { isAssigned, isQuotedAssigned, isSecretKey, isSecretToken } from './words.ts'

const [dash, bigI, bigJ] = [0x2d, 0x49, 0x4a]
const [letterA, letterB, letterC, letterD, letterE, letterG, letterH] = [0x61, 0x62, 0x63, 0x64, 0x65, 0x67, 0x68]
const [letterI, letterK, letterL, letterN, letterP] = [0x69, 0x6b, 0x6c, 0x6e, 0x70]
const [letterQ, letterR, letterS, letterW] = [0x71, 0x72, 0x73, 0x77]
const [letterX, letterY, letterZ] = [0x78, 0x79, 0x7a]

/**
 * The result for a letter: part of no such word; of `value`, whose secret another member may name; of a word that names of secrets contain;
 * of a secret, or a word that one may follow.
 */
type Found = 'nothing' | 'value' | 'word' | 'secret'

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
  if (isLetter(bytes[i + 1], letterI)) return isDatabricksKey(bytes, i, end) ? 'secret' : 'nothing'
  // Most words with `pa` are others than `pass`.
  if (isLetter(bytes[i + 1], letterA) && !isLetter(bytes[i + 2], letterS)) return 'nothing'
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
export const isConnection = (bytes: Uint8Array, i: number, end: number): boolean =>
  isLetter(bytes[i], letterN) && isLetter(bytes[i + 2], letterS) && hasWord(bytes, i - 9, end, 'connection')

/** `connection_string` or `ConnectionString`, whose first word ends at `i`. */
function readConnection(bytes: Uint8Array, i: number, start: number, end: number): Found {
  const string = isSeparator(bytes[i + 1] as number) ? i + 2 : i + 1
  if (!hasWord(bytes, i - 9, end, 'connection') || !hasWord(bytes, string, end, 'string')) return 'nothing'
  return judge(isQuotedAssigned(bytes, string + 6, start, end))
}

/** Returns what the letter or dash at `i`, with which one of the pairs of `pairs.ts` begins, belongs to. `fresh`: see `isSuspiciousDigits`. */
export function readLetter(bytes: Uint8Array, i: number, start: number, end: number, fresh: number): Found {
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
    case letterL:
      return hasWord(bytes, i - 2, end, 'value') ? 'value' : 'nothing'
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
