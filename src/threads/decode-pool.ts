// The pool of decode threads: bounded in threads, queue, memory and time, and shared fairly by workspace.
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Outage } from '../base/fault.ts'
import type { DecodeResult, DecodeTask } from '../otlp/rows/decode-task.ts'
import { makeFairTurns } from './fair-turns.ts'

export type DecodePoolOptions = {
  readonly threads: number
  /** Tasks that may wait; beyond it a task is refused with an Outage: one of the workspace that has most of them waiting. */
  readonly maxQueue: number
  /** A task that no thread has begun by then is given back with an Outage: its sender may be gone, and the work is for others. */
  readonly maxWaitMs: number
}

export type DecodePool = {
  /** Throws Outage where the queue is full, the task waited or took too long, or its thread died. */
  decode(task: DecodeTask): Promise<DecodeResult>
  queued(): number
  stop(): Promise<void>
}

const taskDeadlineMs = 20_000
const maxThreadHeapMb = 512
/** Three times what is filled before it is collected. A request leaves some 2 MB behind, so that more would only be memory that lies about. */
const maxYoungHeapMb = 12

/** Starts the threads. */
export function openDecodePool(options: DecodePoolOptions): DecodePool {
  const pool = new Piscina<DecodeTask, DecodeResult>({
    filename: fileURLToPath(new URL('../../workers/decode.ts', import.meta.url)),
    minThreads: options.threads,
    maxThreads: options.threads,
    maxQueue: options.threads,
    resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb, maxYoungGenerationSizeMb: maxYoungHeapMb },
  })
  // Who waits, waits here: a task in Piscina's own queue could neither be given back nor let others go first. The next task begins in
  // the same turn of the event loop in which Piscina would begin it.
  const turns = makeFairTurns({ slots: options.threads, maxWaiting: options.maxQueue, maxWaitMs: options.maxWaitMs })

  async function run(task: DecodeTask): Promise<DecodeResult> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), taskDeadlineMs)
    try {
      // A body that shares its buffer with others is copied; one of its own moves.
      const owns = task.body.byteLength === task.body.buffer.byteLength
      return await pool.run(task, {
        signal: deadline.signal,
        ...(owns ? { transferList: [task.body.buffer as ArrayBuffer] } : {}),
      })
    } catch (cause) {
      throw new Outage('decoding failed or did not finish in time', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    decode: async (task) =>
      await turns.run(
        task.workspaceId,
        async () => await run(task),
        ({ cpuMs }) => cpuMs,
      ),
    queued: turns.waiting,
    stop: () => pool.destroy(),
  }
}
