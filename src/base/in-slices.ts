// Work on many bytes in slices, so that it does not block the event loop.
import { setImmediate } from 'node:timers/promises'

/** Hashing a slice takes about 0.2 ms. */
export const sliceBytes = 262_144

/** Resolves in the next turn of the event loop, so that other work of the process runs first. */
export const yieldTurn = async (): Promise<void> => await setImmediate()

/** Calls `visit` with the bounds of each slice (`to` not included), one slice in each turn of the event loop. */
export async function inSlices(bytes: number, visit: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < bytes; from += sliceBytes) {
    if (from > 0) await yieldTurn()
    visit(from, Math.min(bytes, from + sliceBytes))
  }
}

const stepsInSlice = 512

/** Returns a function to be awaited after each step of a long loop, whose steps take some microseconds: it yields every 512 steps. */
export function openPauses(): () => Promise<void> | undefined {
  let steps = 0
  return () => (++steps % stepsInSlice === 0 ? yieldTurn() : undefined)
}
