// SDK. What the tools of a run were given, and when each gave back: for telling which results later calls were made of.
import { piecesOf } from './pieces.ts'

export type ToolNotes = {
  /** A tool is called with this input. */
  readonly given: (input: string) => void
  /** A tool call has ended. */
  readonly gave: (callId: string) => void
  /** Whether a tool called after this call had ended was given this piece; and one called before. */
  readonly wasGiven: (piece: string, callId: string) => { readonly later: boolean; readonly earlier: boolean }
}

// A run may be as long as the process, so only the latest are kept.
const maxInputs = 256
const maxCalls = 1_000
const maxInputChars = 16_384

export function makeToolNotes(): ToolNotes {
  const inputs: { readonly at: number; readonly pieces: ReadonlySet<string> }[] = []
  const endedAt = new Map<string, number>()
  let now = 0
  return {
    given(input) {
      inputs.push({ at: now++, pieces: piecesOf(input, maxInputChars) })
      if (inputs.length > maxInputs) inputs.shift()
    },
    gave(callId) {
      endedAt.delete(callId)
      endedAt.set(callId, now++)
      const [oldest] = endedAt.keys()
      if (endedAt.size > maxCalls && oldest !== undefined) endedAt.delete(oldest)
    },
    wasGiven(piece, callId) {
      const ended = endedAt.get(callId)
      let [later, earlier] = [false, false]
      if (ended === undefined) return { later, earlier }
      for (const { at, pieces } of inputs) {
        if (!pieces.has(piece)) continue
        if (at > ended) later = true
        else earlier = true
      }
      return { later, earlier }
    },
  }
}
