// A queue that runs one task at a time, in order, with a limit on waiting tasks.
import { Busy } from '../bus/transport.ts'

export type Mailbox = {
  /** Runs the task after all earlier ones and returns its result. Rejects with Busy at once if the mailbox is full. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** Number of tasks that run or wait. */
  size(): number
}

export function makeMailbox(capacity: number): Mailbox {
  let last: Promise<unknown> = Promise.resolve()
  let size = 0

  return {
    run(task) {
      if (size >= capacity) return Promise.reject(new Busy(`the mailbox is full: ${capacity} messages are waiting`))
      size += 1
      const result = last.then(task).finally(() => {
        size -= 1
      })
      // The next task starts even if this one fails: the failure concerns only its own caller.
      last = result.catch(() => undefined)
      return result
    },
    size: () => size,
  }
}
