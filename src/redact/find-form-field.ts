// Finds the values of multipart forms whose field names promise a secret.
import type { TextRange } from './place.ts'
import { isCode, sensitivityOf } from './sensitive-keys.ts'

/** The end of a line, also as it is escaped in code and in the logs of clients. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)`
const parameters = String.raw`(?:[^\r\n\\]|\\{1,7}"){0,256}?`
const fieldHead = new RegExp(
  String.raw`form-data;${parameters}\bname=(?:\\{0,7}"([^"\r\n\\]{1,256})\\{0,7}"|([^\s;"\\]{1,256})(?=[;\s\\]))${parameters}` +
    String.raw`(?:${lineEnd}[\w-]{1,64}:[^\r\n\\]{0,1024}){0,8}${lineEnd}${lineEnd}`,
  'gi',
)
const boundary = new RegExp(`${lineEnd}--|$`, 'g')
/** A longer value is not a code. */
const maxCode = 32

/** Returns the end of the value at `start`, which a boundary or the end of the text follows. */
function endOfValue(text: string, start: number): number {
  boundary.lastIndex = start
  return boundary.exec(text)?.index ?? text.length
}

/** Finds the value of a field such as `password`, up to the boundary of the form. */
export function findFormField(text: string, from: number): TextRange | null {
  fieldHead.lastIndex = from
  for (let head = fieldHead.exec(text); head !== null; head = fieldHead.exec(text)) {
    const start = fieldHead.lastIndex
    const sensitivity = sensitivityOf(head[1] ?? head[2] ?? '')
    if (sensitivity === 'no' || text.startsWith('[redacted:', start)) continue
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
