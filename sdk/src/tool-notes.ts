// SDK. The inputs of the tools of a run and the order in which the calls ended, to find out which results were used in later calls.
import { piecesOf } from './pieces.ts'

export type ToolNotes = {
  /** Records the input of a tool call that begins. */
  readonly given: (input: string) => void
  /** Records that a tool call has ended. */
  readonly gave: (callId: string) => void
  /** Returns whether the piece is in the input of a tool call that began after this call had ended (`later`), or before (`earlier`). */
  readonly wasGiven: (piece: string, callId: string) => { readonly later: boolean; readonly earlier: boolean }
}

// A run may last as long as the process, so only the latest are kept.
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
