// Rules out most patterns for a text in one pass, by the pairs of characters that a match contains.
import { patterns } from './patterns.ts'

/** Other characters than ASCII are in no pair. */
const codes = 128

/** A bit for each distinct list of pairs, from the lowest. */
const bits = new Map<string, number>()

function bitOf(pairs: readonly string[]): number {
  const key = pairs.join('\n')
  const bit = bits.get(key) ?? 1 << bits.size
  bits.set(key, bit)
  return bit
}

/** By `first * 128 + second`, the bits of the lists that contain this pair. */
const bitsOfPair = new Int32Array(codes * codes)

function addPairs(pairs: readonly string[]): number {
  const bit = bitOf(pairs)
  for (const pair of pairs) {
    const at = pair.charCodeAt(0) * codes + pair.charCodeAt(1)
    bitsOfPair[at] = (bitsOfPair[at] as number) | bit
  }
  return bit
}

/** By the index of a pattern, the bits of its first and its second list; 0 for a list that it does not have. */
const firsts = Int32Array.from(patterns, ({ pairs: [first] }) => addPairs(first))
const seconds = Int32Array.from(patterns, ({ pairs: [, second] }) => (second === undefined ? 0 : addPairs(second)))
if (bits.size > 32) throw new RangeError('the patterns have more lists of pairs than bits')

/** For `mayHold`, of a text of which the pairs are not known. */
export const allPairs = -1

/** Returns which lists of pairs have a pair in the text, as bits for `mayHold`. About 2 ns a character. */
export function findPairs(text: string): number {
  let present = 0
  let first = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const second = code < codes ? code : 0
    present |= bitsOfPair[first * codes + second] as number
    first = second
  }
  return present
}

/** Whether a text with these pairs may match the pattern with this index. */
export function mayHold(nth: number, present: number): boolean {
  const [first, second] = [firsts[nth] as number, seconds[nth] as number]
  return (present & first) !== 0 && (second === 0 || (present & second) !== 0)
}
