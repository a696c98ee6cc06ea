// How V8 collects garbage in this process: for the least CPU in all, since the database beside it needs the same cores.
import { setFlagsFromString } from 'node:v8'

/** Of threads: a request leaves some 2 MB behind. Not more than a third of what the pool lets its threads' young objects take. */
const youngMb = 8

/**
 * Before threads are started. A collection of young objects takes a fraction of a millisecond here; spread over threads it costs twice
 * the CPU. And V8 takes what lives as long as one request for what lives for ever: made among the old objects from the start, it
 * was collected late and at a high price, and kept the memory of the request's buffers meanwhile. The room for young objects stays
 * as large as it is by now, or as threads begin: grown under load, it would only be memory that lies about.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString(`--min-semi-space-size=${youngMb}`)
  setFlagsFromString('--semi-space-growth-factor=1')
}
