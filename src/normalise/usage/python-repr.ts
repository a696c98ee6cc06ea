// The usage object in what Python prints of a provider's answer, where an instrumentation kept only that.
import type { JsonObject } from '../json.ts'

/** `usage=CompletionUsage(prompt_tokens=20, prompt_tokens_details=PromptTokensDetails(cached_tokens=10))` */
const usageStart = /\busage=[A-Za-z_]\w*\(/g
/** `{'prompt_tokens': 20, 'prompt_tokens_details': {'cached_tokens': 10, 'audio_tokens': None}}` */
const dictPiece = /'(\w+)': ?(?:(\d+)\b(?!\.)|\{)|\{|\}/g
// The boundary keeps a long word from being read again from each of its letters.
const piece = /\b(\w+)=(?:(\d+)\b|[A-Za-z_][\w.]*\()|\(|\)/g
/** Far more than any usage object takes. */
const maxChars = 4_096

function lastStart(text: string): number {
  let start = -1
  for (const match of text.matchAll(usageStart)) start = match.index + match[0].length
  return start
}

/** The whole numbers of the last `usage=…(…)` in the text, those of inner objects within; null where there is none. */
export function usageInRepr(text: string): JsonObject | null {
  const start = lastStart(text)
  if (start === -1) return null
  return readPieces(text.slice(start, start + maxChars), piece, ')')
}

/** `_meta={'model': 'm', 'usage': {'prompt_tokens': 20}}`: what Haystack prints last of a message, behind its text. */
const metaStart = '_meta={'
const usageMember = "'usage': {"

/** The whole numbers of the usage in what Haystack prints of a message, those of inner dictionaries within; null where there is none. */
export function usageInMeta(text: string): JsonObject | null {
  const meta = text.lastIndexOf(metaStart)
  const start = meta === -1 ? -1 : text.indexOf(usageMember, meta)
  if (start === -1) return null
  const inside = start + usageMember.length
  return readPieces(text.slice(inside, inside + maxChars), dictPiece, '}')
}

/** The whole numbers of a dictionary that is the whole text, those of inner ones within; null where it is none. */
export const usageInDict = (text: string): JsonObject | null =>
  text.startsWith('{') ? readPieces(text.slice(1, maxChars), dictPiece, '}') : null

/** Null where the end is missing. */
function readPieces(text: string, pieces: RegExp, end: string): JsonObject | null {
  const usage: Record<string, unknown> = Object.create(null)
  const open = [usage]
  for (const [whole, name, digits] of text.matchAll(pieces)) {
    const object = open.at(-1)
    if (object === undefined) break
    if (whole === end) open.pop()
    else if (name !== undefined && digits !== undefined) object[name] = Number(digits)
    else {
      const inner: Record<string, unknown> = Object.create(null)
      if (name !== undefined) object[name] = inner
      open.push(inner)
    }
  }
  return open.length === 0 ? usage : null
}
