// Thread entry: decodes one request a call. Sees floors 0 and 1 only, and holds no socket, timer or pool.
import { move } from 'piscina'
import { decodeBatch } from '../src/otlp/decode-batch.ts'
import type { DecodeResult, DecodeTask } from '../src/otlp/decode-task.ts'
import { openPriceBook } from '../src/pricing/price-book.ts'

const prices = openPriceBook()

export default function decode(task: DecodeTask): DecodeResult {
  const result = decodeBatch(task, prices)
  // The rows move to the main thread instead of being copied.
  return result.ok ? { ...result, rows: move(result.rows) as unknown as typeof result.rows } : result
}
