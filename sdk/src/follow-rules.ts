// SDK. Keeps the rules current in the background: one long poll after another, with the ETag of the rules held.
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from './back-off.ts'
import { type Answer, type Http, readAgeMs, readRetryAfterMs, Unreachable } from './http.ts'
import { noRules, type Rule, type RuleBook, readRuleBook, type Subject } from './rule-book.ts'
import { earliestMs, isNewer } from './rules-order.ts'
import { between, later, longAgo, type Moment } from './serving/moment.ts'

export type RulesDeps = {
  readonly http: Pick<Http, 'ask'>
  readonly clock: () => Moment
  readonly random: () => number
  /** Receives why a poll failed: a status, an error code, `bad_answer`, or `old_rules` (the front does not yet know the rules held). */
  readonly onFailure: (reason: string) => void
  /** Receives the rules in force on each change, and an empty book once they are no longer valid. */
  readonly onChange: (book: RuleBook) => void
  readonly timing?: Partial<typeof defaults>
}

export type Rules = {
  /** Returns the rule that covers the call. Null also if the rules were not confirmed within the last 90 s or the key was refused, and after `stop`. */
  readonly find: (subject: Subject) => Rule | null
  readonly size: () => number
  /** Resolves once the first poll has succeeded or failed. */
  readonly firstPoll: Promise<void>
  readonly stop: () => void
}

const defaults = {
  /** How long the service may hold a poll open until the rules change, in seconds. */
  waitS: 25,
  /** Time that a poll may take in addition to `waitS`. */
  graceMs: 10_000,
  /** Minimum time between the starts of two polls, however fast the service answers. */
  minIntervalMs: 1_000,
  firstBackOffMs: 1_000,
  maxBackOffMs: 60_000,
  maxRetryAfterMs: 300_000,
  /** Rules that were not confirmed for longer than this match no call. */
  validForMs: 90_000,
}
const maxBytes = 8 * 1_024 * 1_024

/** Polls from now on until `stop`. Cost of `find`: up to three look-ups. */
export function followRules(deps: RulesDeps): Rules {
  const timing = { ...defaults, ...deps.timing }
  const timeoutMs = timing.waitS * 1_000 + timing.graceMs
  const nowMs = (): number => deps.clock().monotonicMs
  const ended = new AbortController()
  let tellFirst: () => void
  const firstPoll = new Promise<void>((resolve) => {
    tellFirst = resolve
  })
  let book: RuleBook = noRules
  let etag: string | null = null
  /** When an answer first contained the version held. */
  let heldSinceMs = Number.NEGATIVE_INFINITY
  /** By both clocks: rules may be disabled while the machine sleeps, and then the monotonic clock may stop. */
  let verifiedAt = longAgo
  let isLapsed = true

  /**
   * Returns whether no rule is in force; then the results in memory are dropped. An input that was invalidated elsewhere is missing from the
   * rules only for as long as processes may hold older ones, so rules that have lapsed must not be confirmed together with these results.
   */
  function endLapsed(): boolean {
    if (between(verifiedAt, deps.clock()) <= timing.validForMs && !ended.signal.aborted) return false
    if (!isLapsed) deps.onChange(noRules)
    isLapsed = true
    return true
  }

  /** Returns what is wrong with the answer; null where the rules held are now current. */
  function accept({ status, headers, body }: Answer, askedAtMs: number): string | null {
    endLapsed()
    if (status === 304 && etag !== null) return null
    // The key was revoked, or its workspace deleted: nobody may use the rules that it fetched.
    if (status === 401 || status === 403) verifiedAt = longAgo
    if (status !== 200) return `status_${status}`
    const read = readRuleBook(body.toString())
    if (read === null) return 'bad_answer'
    const held = { version: book.version, sinceMs: heldSinceMs }
    if (!isNewer(read.version, held, earliestMs(askedAtMs, readAgeMs(headers)))) return 'old_rules'
    if (read.version?.text !== book.version?.text) heldSinceMs = nowMs()
    book = read
    etag = headers.etag ?? null
    deps.onChange(read)
    return null
  }

  /** Polls once. Returns whether the poll failed and the milliseconds to wait before the next one. */
  async function poll(failures: number): Promise<{ failed: boolean; waitMs: number }> {
    const startedAt = deps.clock()
    let failure: string | null
    let askedWaitMs: number | null = null
    let ageMs = 0
    try {
      const answer = await deps.http.ask({
        method: 'GET',
        path: `/v1/apply/rules${etag === null ? '' : `?wait=${timing.waitS}`}`,
        headers: { accept: 'application/json', ...(etag === null ? {} : { 'if-none-match': etag }) },
        timeoutMs,
        maxBytes,
        background: true,
      })
      const tookMs = between(startedAt, deps.clock())
      // The process was suspended: nobody knows for how long after the service had sent the answer.
      if (tookMs > timeoutMs) throw new Unreachable('timeout')
      failure = accept(answer, startedAt.monotonicMs)
      // The service answers within `waitS`, so the rest of the time has passed since then.
      ageMs = readAgeMs(answer.headers) + Math.max(0, tookMs - timing.waitS * 1_000)
      askedWaitMs = failure === null ? null : readRetryAfterMs(answer.headers, Date.now(), timing.maxRetryAfterMs)
    } catch (error) {
      failure = nameOf(error)
    }
    if (failure === null) {
      // A front that has lost its database answers from memory. Such an answer confirms the rules only as of the age of that memory.
      const now = deps.clock()
      if (between(verifiedAt, now) > ageMs) verifiedAt = later(now, -ageMs)
      isLapsed = false
      return { failed: false, waitMs: Math.max(0, startedAt.monotonicMs + timing.minIntervalMs - nowMs()) }
    }
    if (!ended.signal.aborted) deps.onFailure(failure)
    const backOff = backOffMs(failures + 1, timing.firstBackOffMs, timing.maxBackOffMs, deps.random)
    return { failed: true, waitMs: Math.max(backOff, askedWaitMs ?? 0) }
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !ended.signal.aborted; ) {
      const { failed, waitMs } = await poll(failures)
      failures = failed ? failures + 1 : 0
      tellFirst()
      await sleep(waitMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined)
    }
  }
  void follow()

  return {
    find: (subject) => (endLapsed() ? null : book.find(subject)),
    size: () => (ended.signal.aborted ? 0 : book.size),
    firstPoll,
    stop: () => ended.abort(),
  }
}

const nameOf = (error: unknown): string =>
  error instanceof Error ? ((error as { code?: string }).code ?? error.name) : 'unknown'
