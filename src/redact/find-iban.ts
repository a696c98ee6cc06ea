// Finds bank account numbers in text in one pass: at most 64 characters are read at each position where one may begin.
import { appendToIban, caseBit, ibanLength } from './check-digits.ts'
import type { TextRange } from './place.ts'

const [backslash, space, dash, digit0, digit9, capitalA, capitalZ] = [0x5c, 0x20, 0x2d, 0x30, 0x39, 0x41, 0x5a]
/** A number in lower case must end in this many digits. Hashes and ids do not, since they contain letters everywhere. */
const lowerCaseDigits = 10
const [letterN, letterR, letterT] = [0x6e, 0x72, 0x74]
const minLength = 15
const headLength = 4

const isDigit = (code: number): boolean => code >= digit0 && code <= digit9
const isCapital = (code: number): boolean => code >= capitalA && code <= capitalZ
/** A letter of either case: the two differ in one bit. */
const isLetter = (code: number): boolean => isCapital(code & ~caseBit)
const isAlphanumeric = (code: number): boolean => isDigit(code) || isLetter(code)

/** True if no letter or digit precedes `at`, except as the end of an escaped blank such as `\n`, as in JSON inside text. */
function beginsRun(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (!isAlphanumeric(before)) return true
  const isBlank = before === letterN || before === letterR || before === letterT
  return isBlank && at > 1 && text.charCodeAt(at - 2) === backslash
}

/** Returns the end of the number that begins at `at`; -1 if there is none. Single blanks or dashes may separate groups. */
function endOfIban(text: string, at: number): number {
  const length = ibanLength(text.charCodeAt(at), text.charCodeAt(at + 1))
  if (length === 0) return -1
  let isLower = !isCapital(text.charCodeAt(at)) || !isCapital(text.charCodeAt(at + 1))
  let digitsAtEnd = 0
  let remainder = 0
  let next = at + headLength
  for (let count = headLength; count < length; count++) {
    let code = text.charCodeAt(next)
    if (code === space || code === dash) code = text.charCodeAt(++next)
    if (!isAlphanumeric(code)) return -1
    isLower ||= !isDigit(code) && !isCapital(code)
    digitsAtEnd = isDigit(code) ? digitsAtEnd + 1 : 0
    remainder = appendToIban(remainder, code)
    next++
  }
  for (let head = at; head < at + headLength; head++) remainder = appendToIban(remainder, text.charCodeAt(head))
  if (isLower && (isAlphanumeric(text.charCodeAt(next)) || digitsAtEnd < lowerCaseDigits)) return -1
  return remainder === 1 ? next : -1
}

/** Returns the first account number at or after `from`, or null. */
export function findIban(text: string, from: number): TextRange | null {
  for (let at = from; at + minLength <= text.length; at++) {
    if (!isLetter(text.charCodeAt(at)) || !isLetter(text.charCodeAt(at + 1))) continue
    if (!isDigit(text.charCodeAt(at + 2)) || !isDigit(text.charCodeAt(at + 3)) || !beginsRun(text, at)) continue
    const end = endOfIban(text, at)
    if (end !== -1) return { start: at, end }
  }
  return null
}
