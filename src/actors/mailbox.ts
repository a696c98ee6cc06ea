// One task at a time, in order, and a bound on how many wait.
import { Busy } from '../bus/transport.ts'

export type Mailbox = {
  /** Runs the task after all earlier ones; gives its result. Rejects with Busy at once where the mailbox is full. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** Tasks that run or wait. */
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
      // The next task starts whatever became of this one, whose failure belongs to its own caller.
      last = result.catch(() => undefined)
      return result
    },
    size: () => size,
  }
}
