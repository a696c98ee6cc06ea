// Thread entry: decodes one request a call. Sees floors 0 and 1 only, and holds no socket, timer or pool.
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { freeBuffer } from '../src/base/free-buffer.ts'
import { listBuffers } from '../src/otlp/rows/batch-writer.ts'
import { openBatchDecoder } from '../src/otlp/rows/decode-batch.ts'
import type { DecodeResult, DecodeTask } from '../src/otlp/rows/decode-task.ts'
import { openPriceBook } from '../src/pricing/price-book.ts'

const decodeBatch = openBatchDecoder(openPriceBook())

export default function decode(task: DecodeTask): unknown {
  const result: DecodeResult = decodeBatch(task)
  freeBuffer(task.body)
  if (!result.ok) return result
  // The rows move to the main thread instead of being copied. Fields, for a getter would keep the last requests alive: V8 gives each
  // object literal with one a hidden class of its own.
  return move({ [transferableSymbol]: listBuffers(result), [valueSymbol]: result })
}
