// Decides from the bytes of a text, in one pass, whether redaction could change it. A false "no" is a leak, a false "yes" costs time.

import { maxTextLength } from './cut-text.ts'
import { isKnownKey, isSeparator } from './known-keys.ts'
import { sensitivityOf } from './sensitive-keys.ts'
import { endOfColons, isAddress6, isSign, isSuspiciousSign } from './suspicious/addresses.ts'
import { backslash, countRun, isAsciiEscape, isAsciiLetter, isDigit, isHex, isLetter } from './suspicious/bytes.ts'
import { hasCodeLabel, isPlainNumber, readDigits } from './suspicious/codes.ts'
import { isWebhook } from './suspicious/keys.ts'
import { isConnection, readLetter } from './suspicious/letters.ts'
import { endOfDigits, isCardValue } from './suspicious/numbers.ts'
import { always, behindWord, findPair, isPlace } from './suspicious/pairs.ts'
import { hasLabelledMember, isLabelledMember, isSecretMember } from './suspicious/words.ts'

const [colon, bigJ, letterK] = [0x3a, 0x4a, 0x6b]

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
  let hasValue = false
  let hasNoCodeLabel = false
  for (let i = findPair(bytes, start, last, which); i < last; i = findPair(bytes, i + 1, last, which)) {
    if (!isPlace(bytes, i)) continue
    const byte = bytes[i] as number
    if (isDigit(byte)) {
      const digitsEnd = endOfDigits(bytes, i, end)
      if (!isPlainNumber(bytes, i, digitsEnd, start, end, fresh)) {
        const found = readDigits(bytes, i, digitsEnd, start, end, fresh)
        if (found === 'secret') return true
        if (found === 'label') {
          if (!hasNoCodeLabel && hasCodeLabel(bytes, start, end)) return true
          hasNoCodeLabel = true
        }
      }
      if (isSeparator(bytes[digitsEnd] as number) && isKnownKey(bytes, digitsEnd, start, end)) return true
      i = digitsEnd - 1
      continue
    }
    if (isSeparator(bytes[i + 1] as number)) {
      if (isKnownKey(bytes, i + 1, start, end) || isWebhook(bytes, i + 1, end)) return true
      if (endsOnlyWords(byte) && !isConnection(bytes, i, end)) continue
    }
    if (byte === colon) {
      if (i >= colonsEnd) {
        colonsEnd = endOfColons(bytes, i, end)
        if (isAddress6(bytes, i, start, colonsEnd)) return true
      }
      if (word === -1) continue
      if ((hasValue && isLabelledMember(bytes, i, start)) || isSecretMember(bytes, i, word, start, end)) return true
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
      if (found === 'value') hasValue = true
      else if (found === 'word') {
        // The value may precede the member that names it. Behind the first word, the colons are examined.
        if (word === -1 && hasValue && hasLabelledMember(bytes, start, i)) return true
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
