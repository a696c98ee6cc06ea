// Entry point of decode threads: each call decodes one request. It imports only floors 0 and 1, and holds no socket, timer or pool.
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { freeBuffer } from '../src/base/free-buffer.ts'
import { listBuffers } from '../src/decode/batch-writer.ts'
import { openBatchDecoder } from '../src/decode/decode-batch.ts'
import type { DecodeResult, DecodeTask } from '../src/decode/decode-task.ts'
import { openPriceBook } from '../src/pricing/price-book.ts'

const decodeBatch = openBatchDecoder(openPriceBook())

export default function decode(task: DecodeTask): unknown {
  const result: DecodeResult = decodeBatch(task)
  freeBuffer(task.body)
  if (!result.ok) return result
  // The rows are transferred to the main thread, not copied. The symbols are fields, not getters: getters would keep the last requests
  // alive, because V8 gives each object literal that has a getter its own hidden class.
  return move({ [transferableSymbol]: listBuffers(result), [valueSymbol]: result })
}
