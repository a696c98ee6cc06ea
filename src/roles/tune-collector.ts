// Floor 4. How V8 collects garbage in this process: for the least CPU in all, since the database beside it needs the same cores.
import { setFlagsFromString } from 'node:v8'

/**
 * Before threads are started. A collection of young objects takes a fraction of a millisecond here; spread over threads it costs twice
 * the CPU. And V8 takes what lives as long as one request for what lives for ever: made among the old objects from the start, it
 * was collected late and at a high price, and kept the memory of the request's buffers meanwhile.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-allocation-site-pretenuring')
}
