// Work on many bytes without holding up the event loop.
import { setImmediate } from 'node:timers/promises'

/** Hashing them takes about 0.2 ms. */
export const sliceBytes = 262_144

/** Lets everything else of the process have a turn. */
export const yieldTurn = async (): Promise<void> => await setImmediate()

/** Calls back with the bounds of each slice, one slice in a turn of the event loop. */
export async function inSlices(bytes: number, visit: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < bytes; from += sliceBytes) {
    if (from > 0) await yieldTurn()
    visit(from, Math.min(bytes, from + sliceBytes))
  }
}
