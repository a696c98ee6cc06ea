// Finds private keys in text and in lists of lines.
import type { TextRange } from './place.ts'

const privateKeyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Finds a private key up to its end mark, or to the end of the text if the mark is missing. */
export function findPrivateKey(text: string, from: number): TextRange | null {
  privateKeyBegin.lastIndex = from
  const match = privateKeyBegin.exec(text)
  if (match === null) return null
  const endMark = text.indexOf('-----END', match.index)
  const end = endMark === -1 ? -1 : text.indexOf('-----', endMark + 8)
  return { start: match.index, end: end === -1 ? text.length : end + 5 }
}

export const mayHoldPrivateKey = (text: string): boolean => text.includes('PRIVATE KEY')

/** Returns a function for the texts of a list, in order: true if the text continues a private key that began in an earlier text. */
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
