// The time by the clock of PostgreSQL. Sessions, stored results, the window of accepted spans and reads without a bound end by it: each
// process would otherwise end them at another time, and a front whose own clock is wrong would refuse spans, take expired tokens or omit
// the newest data.
import type { Runner } from './database.ts'

export type DatabaseClock = {
  /** Unix milliseconds. */
  readonly nowMs: () => number
  /** By how much the clock of this machine is ahead of that of PostgreSQL; negative: behind. 0 before the first answer. */
  readonly aheadMs: () => number
  readonly stop: () => void
}

type Options = {
  readonly db: Pick<Runner, 'row'>
  /** Called when the two clocks begin to differ by more than five seconds, and when they agree again. */
  readonly onDrift: (aheadMs: number, isWrong: boolean) => void
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
  /** Replaced in tests. */
  readonly machine?: { readonly unixMs: () => number; readonly steadyMs: () => number }
}

const noticedMs = 5_000
/** An answer that took longer says too little about the time. */
const longestAnswerMs = 1_000
const thisMachine = { unixMs: () => Date.now(), steadyMs: () => performance.now() }

/** Returns the time by the clock of PostgreSQL. */
export async function readClock(db: Pick<Runner, 'row'>): Promise<Date> {
  const clock = await db.row<{ now: Date }>('store/read-clock')
  if (clock === null) throw new Error('the statement store/read-clock returned no row')
  return clock.now
}

/**
 * Resolves after the first answer, or its failure: until PostgreSQL answers, the time is that of this machine. One small query every five
 * seconds; in between, the monotonic clock counts.
 */
export async function openDatabaseClock(options: Options): Promise<DatabaseClock> {
  const { db, onDrift, onError, everyMs = 5_000, machine = thisMachine } = options
  let read: { readonly unixMs: number; readonly steadyMs: number } | null = null
  let isWrong = false
  let isFailing = false
  let isAsking = false

  const nowMs = (): number => (read === null ? machine.unixMs() : read.unixMs + machine.steadyMs() - read.steadyMs)
  const aheadMs = (): number => machine.unixMs() - nowMs()

  async function readDatabase(): Promise<void> {
    const askedAtMs = machine.steadyMs()
    const now = await readClock(db)
    const steadyMs = machine.steadyMs()
    if (steadyMs - askedAtMs > longestAnswerMs) return
    read = { unixMs: now.getTime() + (steadyMs - askedAtMs) / 2, steadyMs }
    const wasWrong = isWrong
    isWrong = Math.abs(aheadMs()) > noticedMs
    if (isWrong !== wasWrong) onDrift(aheadMs(), isWrong)
  }

  async function follow(): Promise<void> {
    // A database that hangs is not asked again before it has answered.
    if (isAsking) return
    isAsking = true
    try {
      await readDatabase()
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    } finally {
      isAsking = false
    }
  }

  await follow()
  const timer = setInterval(() => void follow(), everyMs)
  timer.unref()
  return { nowMs, aheadMs, stop: () => clearInterval(timer) }
}
