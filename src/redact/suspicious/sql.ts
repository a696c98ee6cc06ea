// Checks whether the text around a word may be a statement of SQL that sets a password.
import { backslash, endsWithWord, isBlank, isLetter, isQuote, skipBlanksBack } from './bytes.ts'
import { skipToValue } from './words.ts'

const [apostrophe, open, letterE, letterN] = [0x27, 0x28, 0x65, 0x6e]
/** More bytes count as the word between `WITH` and `BY`. */
const maxPlugin = 256

/** Whether a text of SQL follows the word that ends at `at`: `PASSWORD 'x'`, `PASSWORD N'x'`, `PASSWORD('x')`. */
export function isBeforeSqlText(bytes: Uint8Array, at: number, end: number): boolean {
  let next = skipToValue(bytes, at, end)
  if (next === -1) return true
  const isCall = bytes[next] === open
  if (next === at && !isCall) return false
  if (isCall) next = skipToValue(bytes, next + 1, end)
  if (next === -1) return true
  if (isLetter(bytes[next], letterN) || isLetter(bytes[next], letterE)) next++
  while (next < end && bytes[next] === backslash) next++
  return next < end && (bytes[next] === apostrophe || (isCall && isQuote(bytes[next])))
}

/** Whether the word `by` at `at` belongs to `IDENTIFIED BY` or `IDENTIFIED WITH x BY`. */
export function isIdentifiedBy(bytes: Uint8Array, at: number, start: number): boolean {
  if (!isBlank(bytes[at + 2]) && bytes[at + 2] !== backslash) return false
  const before = skipBlanksBack(bytes, at, start)
  if (before === at) return false
  if (endsWithWord(bytes, before, start, 'identified')) return true
  let plugin = before
  while (plugin > start && before - plugin < maxPlugin && skipBlanksBack(bytes, plugin, start) === plugin) plugin--
  const withEnd = skipBlanksBack(bytes, plugin, start)
  if (!endsWithWord(bytes, withEnd, start, 'with')) return false
  return endsWithWord(bytes, skipBlanksBack(bytes, withEnd - 4, start), start, 'identified')
}
