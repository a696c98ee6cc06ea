// Estimates the memory of totals and cells, for caches that hold many.
import type { Total } from './bucket.ts'
import type { CellSums } from './cell.ts'
import type { Distinct } from './distinct.ts'

// Measured on Node 24: the overhead of a typed array besides its numbers, and of an object or an entry of a map.
const arrayBytes = 350
const objectBytes = 100

/** Returns the estimate in bytes. */
export function bytesOfTotal({ counters, durations, traces, sessions, models }: Total): number {
  let bytes = bytesOfNumbers({ counters, durations }) + bytesOfDistinct(traces) + bytesOfDistinct(sessions)
  for (const [model, each] of models) bytes += objectBytes + 2 * (model?.length ?? 0) + sizeOf(each)
  return bytes
}

/** Returns the estimate in bytes. */
export const bytesOfCellSums = ({ counters, durations, traces, inputs }: CellSums): number =>
  bytesOfNumbers({ counters, durations }) + bytesOfDistinct(traces) + bytesOfDistinct(inputs)

function bytesOfNumbers({ counters, durations }: Pick<CellSums, 'counters' | 'durations'>): number {
  const keys = durations.keys === null ? 0 : sizeOf(durations.keys)
  return objectBytes + sizeOf(counters) + objectBytes + sizeOf(durations.counts) + keys
}

const bytesOfDistinct = ({ hashes, loose, registers }: Distinct): number =>
  objectBytes +
  sizeOf(hashes) +
  (loose === null ? 0 : objectBytes + sizeOf(loose.places)) +
  (registers === null ? 0 : sizeOf(registers))

const sizeOf = ({ byteLength }: { readonly byteLength: number }): number => arrayBytes + byteLength
