// Private keys in text, and in lists of lines.
import type { Place } from './place.ts'

const privateKeyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** A private key to its end mark, or to the end of the text where that is cut off. */
export function findPrivateKey(text: string, from: number): Place | null {
  privateKeyBegin.lastIndex = from
  const match = privateKeyBegin.exec(text)
  if (match === null) return null
  const endMark = text.indexOf('-----END', match.index)
  const end = endMark === -1 ? -1 : text.indexOf('-----', endMark + 8)
  return { start: match.index, end: end === -1 ? text.length : end + 5 }
}

export const mayHoldPrivateKey = (text: string): boolean => text.includes('PRIVATE KEY')

/** Tells of each text of a list, in their order, whether it goes on with a private key that began in one before it. */
export function openKeyLines(): (line: string) => boolean {
  let isInside = false
  return (line) => {
    const isLine = isInside
    const begin = line.lastIndexOf('-----BEGIN ')
    if (begin !== -1 && findPrivateKey(line, begin) !== null) isInside = !line.includes('-----END', begin)
    else if (line.includes('-----END')) isInside = false
    return isLine
  }
}
