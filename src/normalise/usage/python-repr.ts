// Extracts the usage object from what Python prints of a provider's answer, for instrumentations that keep only this text.
import type { JsonObject } from '../json.ts'

/** `usage=CompletionUsage(prompt_tokens=20, prompt_tokens_details=PromptTokensDetails(cached_tokens=10))` */
const usageStart = /\busage=[A-Za-z_]\w*\(/g
/** `{'prompt_tokens': 20, 'prompt_tokens_details': {'cached_tokens': 10, 'audio_tokens': None}}` */
const dictPiece = /'(\w+)': ?(?:(\d+)\b(?!\.)|\{)|\{|\}/g
// The boundary prevents the scan of a long word from starting again at each of its letters.
const piece = /\b(\w+)=(?:(\d+)\b|[A-Za-z_][\w.]*\()|\(|\)/g
/** The most characters of a usage object that are read: far more than any has. */
const maxChars = 4_096

function lastStart(text: string): number {
  let start = -1
  for (const match of text.matchAll(usageStart)) start = match.index + match[0].length
  return start
}

/** Returns the whole numbers in the last `usage=…(…)` of the text, with inner objects nested; null where there is none. */
export function usageInRepr(text: string): JsonObject | null {
  const start = lastStart(text)
  if (start === -1) return null
  return readPieces(text.slice(start, start + maxChars), piece, ')')
}

/** `_meta={'model': 'm', 'usage': {'prompt_tokens': 20}}`: Haystack prints it at the end of a message, after the text. */
const metaStart = '_meta={'
const usageMember = "'usage': {"

/** Returns the whole numbers of the usage in a message that Haystack printed, with inner dictionaries nested; null where there is none. */
export function usageInMeta(text: string): JsonObject | null {
  const meta = text.lastIndexOf(metaStart)
  const start = meta === -1 ? -1 : text.indexOf(usageMember, meta)
  if (start === -1) return null
  const inside = start + usageMember.length
  return readPieces(text.slice(inside, inside + maxChars), dictPiece, '}')
}

/** Returns the whole numbers of a text that is a dictionary, with inner dictionaries nested; null for any other text. */
export const usageInDict = (text: string): JsonObject | null =>
  text.startsWith('{') ? readPieces(text.slice(1, maxChars), dictPiece, '}') : null

/** Returns null where the end is missing. */
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
