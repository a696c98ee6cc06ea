// Keeps the agents at work: a new session at a steady pace, as long as the story goes on.
import type { Desk } from './desk.ts'

export type Shift = {
  /** Throws what a session failed with, where one did. */
  check(): void
  /** Resolves when the last session is over. */
  end(): Promise<void>
}

const paceMs = 80
const maxAtWork = 40

/** Where sessions take long, no more than 40 run at a time. */
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
