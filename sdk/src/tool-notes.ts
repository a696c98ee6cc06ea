// SDK. The inputs of the tools of a run and the order in which the calls ended, to find out which results were used in later calls.
import { piecesOf } from './pieces.ts'

export type ToolNotes = {
  /**
   * Records the input of a tool call that begins. Null: the input has no text. Such an input, and the part of a longer one beyond 16,384
   * characters, may contain anything.
   */
  readonly given: (input: string | null) => void
  /** Records that a tool call has ended. */
  readonly gave: (callId: string) => void
  /**
   * Returns whether the piece is in the input of a tool call that began after this call had ended (`later`), or before (`earlier`). `later`
   * is also true if an input since then is not known as a whole, or no longer: the piece may be in it. The notes keep 256 inputs, and when
   * the last 1,000 calls ended; of any other call, it is not known once there were more.
   */
  readonly wasGiven: (piece: string, callId: string) => { readonly later: boolean; readonly earlier: boolean }
}

// A run may last as long as the process, so only the latest are kept.
const maxInputs = 256
const maxCalls = 1_000
const maxInputChars = 16_384

export function makeToolNotes(): ToolNotes {
  const inputs: { readonly at: number; readonly pieces: ReadonlySet<string> }[] = []
  const endedAt = new Map<string, number>()
  let hasForgottenCalls = false
  let now = 0
  /** When the last input that is not known as a whole, or no longer, was given. */
  let unknownAt = -1
  return {
    given(input) {
      const at = now++
      if (input === null || input.length > maxInputChars) unknownAt = at
      if (input === null) return
      inputs.push({ at, pieces: piecesOf(input, maxInputChars) })
      const gone = inputs.length > maxInputs ? inputs.shift() : undefined
      if (gone !== undefined) unknownAt = Math.max(unknownAt, gone.at)
    },
    gave(callId) {
      endedAt.delete(callId)
      endedAt.set(callId, now++)
      const [oldest] = endedAt.keys()
      if (endedAt.size <= maxCalls || oldest === undefined) return
      endedAt.delete(oldest)
      hasForgottenCalls = true
    },
    wasGiven(piece, callId) {
      const ended = endedAt.get(callId)
      if (ended === undefined) return { later: hasForgottenCalls, earlier: false }
      let [later, earlier] = [unknownAt > ended, false]
      for (const { at, pieces } of inputs) {
        if (!pieces.has(piece)) continue
        if (at > ended) later = true
        else earlier = true
      }
      return { later, earlier }
    },
  }
}
