// Measures what is still in memory after minor garbage collections, which are cheap and collect only young objects.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/** Returns the bytes of objects and of buffers, except young garbage. */
export function readUsedBytes(): number {
  // Twice, since objects that were in use a moment ago survive one collection.
  for (let times = 0; times < 2; times += 1) collect({ type: 'minor' })
  return getHeapStatistics().used_heap_size + process.memoryUsage().arrayBuffers
}

/**
 * Returns the bytes that each run of `work` leaves behind, after `warm` runs that compile code and fill caches. Few runs, so that no full
 * collection happens in between.
 */
export async function measureLeft(warm: number, times: number, work: () => Promise<unknown>): Promise<number> {
  for (let nth = 0; nth < warm; nth += 1) await work()
  const before = readUsedBytes()
  for (let nth = 0; nth < times; nth += 1) await work()
  return (readUsedBytes() - before) / times
}
