// The pool of decode threads: bounded in threads, queue, memory and time, and shared fairly among workspaces.
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Outage } from '../base/fault.ts'
import type { DecodeResult, DecodeTask } from '../decode/decode-task.ts'
import { makeFairTurns } from './fair-turns.ts'

export type DecodePoolOptions = {
  readonly threads: number
  /** Tasks that may wait. Beyond this number, a task of the workspace with the most waiting tasks is refused with an Outage. */
  readonly maxQueue: number
  /** A task that waits longer is refused with an Outage: its sender may have given up. */
  readonly maxWaitMs: number
  /** Called when a thread without a task fails and others are left. */
  readonly onError: (error: unknown) => void
}

/** The bytes of a budget that a body holds. */
export type BodyHold = {
  /** Aborted, with an Outage as the reason, when the bytes go to another owner. */
  readonly cut: AbortSignal
  /** From here on, the bytes do not go to another owner. */
  readonly keep: () => void
  /** Idempotent. */
  readonly release: () => void
}

export type DecodePool = {
  /**
   * Throws Outage if the queue is full, the task waited or ran too long, its thread died, or the hold of its body was cut while it waited.
   * Keeps the hold when the decoding begins: a thread cannot be stopped.
   */
  decode(task: DecodeTask, hold?: BodyHold): Promise<DecodeResult>
  queued(): number
  stop(): Promise<void>
}

const taskDeadlineMs = 20_000
const maxThreadHeapMb = 512
/** Three times the space that V8 fills before it collects it. A request leaves some 2 MB of garbage, so more would be memory without use. */
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
  pool.on('error', (error) => {
    // A thread that fails while it starts is not replaced. Without threads the process is of no use, and this ends it.
    if (pool.threads.length === 0) throw error
    options.onError(error)
  })
  // Tasks wait here, not in Piscina: a task in Piscina's queue could neither time out nor let tasks of others go first. The next task
  // begins in the same turn of the event loop in which Piscina would begin it.
  const turns = makeFairTurns({ slots: options.threads, maxWaiting: options.maxQueue, maxWaitMs: options.maxWaitMs })

  async function run(task: DecodeTask): Promise<DecodeResult> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), taskDeadlineMs)
    try {
      // A body that shares its buffer is copied to the thread. One that has the buffer to itself is transferred.
      const owns = task.body.byteLength === task.body.buffer.byteLength
      return await pool.run(task, {
        signal: deadline.signal,
        ...(owns ? { transferList: [task.body.buffer as ArrayBuffer] } : {}),
      })
    } catch (cause) {
      throw new Outage('failure', 'decoding failed or did not finish in time', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async decode(task, hold) {
      const work = async (): Promise<DecodeResult> => {
        hold?.keep()
        return await run(task)
      }
      return await turns.run(task.workspaceId, work, ({ cpuMs }) => cpuMs, hold?.cut)
    },
    queued: turns.waiting,
    stop: () => pool.destroy(),
  }
}
