// SDK. Finds which tool results the prompt of an LLM call contains, and which of them its output depends on.

import { piecesOf } from './pieces.ts'
import type { PromptPart } from './read-messages.ts'
import type { ToolNotes } from './tool-notes.ts'

export type Evidence = {
  /** Ids of the tool calls whose results are in the prompt. */
  readonly consumed: readonly string[]
  /** Those of them whose content is quoted in the output, in an earlier answer or in the input of a later tool call, or that others read. */
  readonly read: readonly string[]
}

// The service's own limit.
const maxIds = 1_000
const maxResultChars = 65_536
const maxScannedChars = 262_144

/**
 * Finds the tool results in the prompt and which of them count as read. A piece of a result is distinctive if neither the instructions nor
 * any answer or tool input before the result contains it. A result is read if an answer or a tool input after it contains a distinctive
 * piece. It also counts as read where that cannot be decided: it has no distinctive piece (`true`, `ok`), it is too long to be scanned
 * whole, others than the model read it, or the output is not known (null). Otherwise "unread" would not be reliable.
 * Cost: about 0.03 µs a character of the prompt, at most 262,144 characters; none where the prompt contains no result.
 */
export function deriveEvidence(
  prompt: readonly PromptPart[],
  output: string | null,
  notes: ToolNotes | null,
  isReadByOthers: (callId: string) => boolean,
): Evidence {
  if (!prompt.some((part) => part.kind === 'result' && part.callId !== null)) return { consumed: [], read: [] }
  const inputPieces = new Set<string>()
  const firstOutputAt = new Map<string, number>()
  const lastOutputAt = new Map<string, number>()
  const noteOutput = (pieces: Set<string>, at: number): void => {
    for (const piece of pieces) {
      if (!firstOutputAt.has(piece)) firstOutputAt.set(piece, at)
      lastOutputAt.set(piece, at)
    }
  }
  let left = maxScannedChars
  const scan = (text: string, most: number): Set<string> => {
    const chars = Math.min(most, left)
    left -= Math.min(text.length, chars)
    return piecesOf(text, chars)
  }

  noteOutput(scan(output ?? '', maxScannedChars), prompt.length)
  const results = new Map<string, { readonly at: number; readonly text: string }>()
  prompt.forEach((part, at) => {
    if (part.kind === 'output') noteOutput(scan(part.text, maxScannedChars), at)
    else if (part.kind === 'input') for (const piece of scan(part.text, maxScannedChars)) inputPieces.add(piece)
    else if (part.callId !== null && results.size < maxIds) results.set(part.callId, { at, text: part.text })
  })

  const isRead = ([callId, { at, text }]: [string, { at: number; text: string }]): boolean => {
    if (output === null || isReadByOthers(callId) || text.length > Math.min(maxResultChars, left)) return true
    let distinctive = 0
    for (const piece of scan(text, maxResultChars)) {
      if (inputPieces.has(piece) || (firstOutputAt.get(piece) ?? Number.POSITIVE_INFINITY) < at) continue
      const asked = notes?.wasGiven(piece, callId) ?? { later: false, earlier: false }
      if (asked.earlier) continue
      if (asked.later || (lastOutputAt.get(piece) ?? -1) > at) return true
      distinctive += 1
    }
    return distinctive === 0
  }
  return { consumed: [...results.keys()], read: [...results].filter(isRead).map(([callId]) => callId) }
}
