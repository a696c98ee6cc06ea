// Keeps the agents at work: starts sessions at a steady pace while the story runs.
import type { Desk } from './desk.ts'

export type Shift = {
  /** Throws the error of a session that failed. */
  check(): void
  /** Resolves when the last session is over. */
  end(): Promise<void>
}

const paceMs = 80
const maxAtWork = 40

/** If sessions take long, no more than 40 run at a time. */
export function startShift(desk: Pick<Desk, 'work'>): Shift {
  const atWork = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | null = null
  const timer = setInterval(() => {
    if (atWork.size >= maxAtWork) return
    const session = desk
      .work()
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => atWork.delete(session))
    atWork.add(session)
  }, paceMs)
  return {
    check() {
      if (failure !== null) throw failure.error
    },
    async end() {
      clearInterval(timer)
      await Promise.all(atWork)
    },
  }
}
