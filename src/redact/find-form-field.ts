// Finds the values of multipart forms whose field names promise a secret.
import type { TextRange } from './place.ts'
import { isCode, sensitivityOf } from './sensitive-keys.ts'

/** The end of a line, also as it is escaped in code and in the logs of clients. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)`
const disposition = /form-data;/gi
/** The rest of the line, which ends at a backslash other than that of an escaped quote. */
const restOfLine = /(?:[^\r\n\\]|\\{1,7}"){0,1024}/y
const fieldName = /\bname=(?:\\{0,7}"([^"\r\n\\]{1,256})|([^\s;"\\]{1,256}))/i
const headerLine = new RegExp(String.raw`${lineEnd}[\w-]{1,64}:[^\r\n\\]{0,1024}`, 'y')
const blankLine = new RegExp(lineEnd + lineEnd, 'y')
const maxHeaders = 8
const boundary = new RegExp(`${lineEnd}--|$`, 'g')
/** A longer value is not a code. */
const maxCode = 32

/** Returns the end of the value at `start`, which a boundary or the end of the text follows. */
function endOfValue(text: string, start: number): number {
  boundary.lastIndex = start
  return boundary.exec(text)?.index ?? text.length
}

/** Returns the end of a match at `at`, or null. */
function endOfMatch(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : null
}

type Field = { readonly name: string | null; readonly end: number; readonly start: number | null }

/**
 * Reads the field whose disposition ends at `at`. `end`: where its headers end. `start`: that of the value, null if none follows. No byte is
 * read again for another field on the same lines, so the time is linear.
 */
function readField(text: string, at: number): Field {
  let end = endOfMatch(restOfLine, text, at) ?? at
  const name = fieldName.exec(text.slice(at, end))
  let start = endOfMatch(blankLine, text, end)
  for (let headers = 0; start === null && headers < maxHeaders; headers++) {
    const next = endOfMatch(headerLine, text, end)
    if (next === null) break
    end = next
    start = endOfMatch(blankLine, text, end)
  }
  return { name: name?.[1] ?? name?.[2] ?? null, end, start }
}

/** Finds the value of a field such as `password`, up to the boundary of the form. */
export function findFormField(text: string, from: number): TextRange | null {
  disposition.lastIndex = from
  while (disposition.test(text)) {
    const { name, end: next, start } = readField(text, disposition.lastIndex)
    disposition.lastIndex = start ?? next
    const sensitivity = name === null ? 'no' : sensitivityOf(name)
    if (sensitivity === 'no' || start === null || text.startsWith('[redacted:', start)) continue
    if (sensitivity === 'code') {
      const value = text.slice(start, start + maxCode)
      const end = endOfValue(value, 0)
      if (isCode(value.slice(0, end))) return { start, end: start + end }
      continue
    }
    const end = endOfValue(text, start)
    if (end > start) return { start, end }
  }
  return null
}
