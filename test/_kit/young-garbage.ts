// What is still in memory after collections of young objects alone, which are the cheap ones.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/** Bytes of objects and of buffers. */
function readUsedBytes(): number {
  // Twice, since what was in use a moment ago survives one.
  for (let times = 0; times < 2; times += 1) collect({ type: 'minor' })
  return getHeapStatistics().used_heap_size + process.memoryUsage().arrayBuffers
}

/** Bytes that each piece of work leaves behind, once code is compiled and caches are full. Few, so that no full collection comes in between. */
export async function measureLeft(warm: number, times: number, work: () => Promise<unknown>): Promise<number> {
  for (let nth = 0; nth < warm; nth += 1) await work()
  const before = readUsedBytes()
  for (let nth = 0; nth < times; nth += 1) await work()
  return (readUsedBytes() - before) / times
}
