// Floor 2. The pool of decode threads: bounded in threads, queue, memory and time.
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Outage } from '../base/fault.ts'
import type { DecodeResult, DecodeTask } from '../otlp/rows/decode-task.ts'

export type DecodePoolOptions = {
  readonly threads: number
  /** Tasks that may wait; beyond it a task is refused with an Outage. */
  readonly maxQueue: number
}

export type DecodePool = {
  /** Throws Outage where the queue is full, the task took too long, or its thread died. */
  decode(task: DecodeTask): Promise<DecodeResult>
  queued(): number
  stop(): Promise<void>
}

const taskDeadlineMs = 20_000
const maxThreadHeapMb = 512

/** Starts the threads. */
export function openDecodePool(options: DecodePoolOptions): DecodePool {
  const pool = new Piscina<DecodeTask, DecodeResult>({
    filename: fileURLToPath(new URL('../../workers/decode.ts', import.meta.url)),
    minThreads: options.threads,
    maxThreads: options.threads,
    maxQueue: options.maxQueue,
    resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
  })

  async function decode(task: DecodeTask): Promise<DecodeResult> {
    try {
      // A body that shares its buffer with others is copied; one of its own moves.
      const owns = task.body.byteLength === task.body.buffer.byteLength
      return await pool.run(task, {
        signal: AbortSignal.timeout(taskDeadlineMs),
        ...(owns ? { transferList: [task.body.buffer as ArrayBuffer] } : {}),
      })
    } catch (cause) {
      throw new Outage('decoding did not finish', { cause })
    }
  }

  return { decode, queued: () => pool.queueSize, stop: () => pool.destroy() }
}
