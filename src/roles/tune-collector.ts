// V8 settings for garbage collection: the least CPU time in total, since the database next to the process needs the same cores.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In MB. A request leaves some 2 MB behind in a decode thread, whose young heap `threads/decode-pool.ts` limits further. */
const youngMb = 8

/**
 * Call it before threads are started, and after the code is loaded: V8 rejects compiled code from a cache that was written under other
 * flags, and the cache is shared with programs that do not call this.
 *
 * A collection of young objects takes a fraction of a millisecond here, and twice the CPU time if it is spread over threads. V8 also takes
 * objects that live as long as one request for permanent ones: allocated as old objects from the start, they are collected late and at a
 * high cost, and retain the buffers of the request meanwhile. The space for young objects returns to its initial size and keeps it: growth
 * would only leave memory unused. Takes about 50 ms.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString(`--min-semi-space-size=${youngMb}`)
  setFlagsFromString('--semi-space-growth-factor=1')
  shrinkYoungSpace()
}

/** While the code is loaded, the space for young objects grows to its maximum of 32 MiB. Only this kind of collection shrinks it. */
function shrinkYoungSpace(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
