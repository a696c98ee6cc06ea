// The state of the live page for a stream of spans: the newest rows, the rows that wait during a pause, and counts.
// Its size does not grow with the stream: both lists have a limit, and spans that do not fit are counted.

export const maxRows = 500
/** The number of seconds that the rate covers. */
export const rateSeconds = 60

type Row = { readonly id: string; readonly status: string }

export type Feed<R extends Row> = {
  /** Newest first. */
  readonly shown: readonly R[]
  /** Rows that arrived during a pause, newest first, up to the limit of the list. */
  readonly waiting: readonly R[]
  /** The number of all spans that arrived during the pause. */
  readonly waitingCount: number
  /** The number of spans that were never shown: more arrived at once than the list holds, or the service no longer had them. */
  readonly skipped: number
  /** The numbers of spans, and of failed ones, since the page was opened. */
  readonly received: number
  readonly failed: number
  /** The number of spans in each second of the clock, the newest second last. */
  readonly rate: readonly number[]
  readonly second: number
}

export const emptyFeed = <R extends Row>(nowMs: number): Feed<R> => ({
  shown: [],
  waiting: [],
  waitingCount: 0,
  skipped: 0,
  received: 0,
  failed: 0,
  rate: Array.from({ length: rateSeconds }, () => 0),
  second: Math.floor(nowMs / 1_000),
})

/** Advances the seconds of the rate to `nowMs`. */
export function tick<R extends Row>(feed: Feed<R>, nowMs: number): Feed<R> {
  const second = Math.floor(nowMs / 1_000)
  const passed = Math.min(rateSeconds, second - feed.second)
  if (passed <= 0) return feed
  return { ...feed, second, rate: [...feed.rate.slice(passed), ...Array.from({ length: passed }, () => 0)] }
}

/** Returns the feed without rows, but with its counts, for a stream that restarts: its rows do not follow those that were shown. */
export const withoutRows = <R extends Row>(feed: Feed<R>): Feed<R> => ({
  ...feed,
  shown: [],
  waiting: [],
  waitingCount: 0,
})

/** Adds spans that were stored before the page was opened. `rows`: newest first. */
export function fillFeed<R extends Row>(feed: Feed<R>, rows: readonly R[]): Feed<R> {
  const known = new Set([...feed.shown, ...feed.waiting].map(({ id }) => id))
  return { ...feed, shown: [...feed.shown, ...rows.filter(({ id }) => !known.has(id))].slice(0, maxRows) }
}

type Batch<R> = { readonly items: readonly R[]; readonly skipped: number }

/** Adds a response of the stream. `items`: in the order in which they were committed, oldest first. */
export function receive<R extends Row>(feed: Feed<R>, { items, skipped }: Batch<R>, isPaused: boolean, nowMs: number) {
  const moved = tick(feed, nowMs)
  const newest = items.toReversed()
  const counted: Feed<R> = {
    ...moved,
    received: moved.received + items.length,
    failed: moved.failed + items.filter(({ status }) => status === 'error').length,
    skipped: moved.skipped + skipped,
    rate: moved.rate.map((count, at) => (at === rateSeconds - 1 ? count + items.length : count)),
    waiting: [...newest, ...moved.waiting].slice(0, maxRows),
    waitingCount: moved.waitingCount + items.length,
  }
  return isPaused ? counted : release(counted)
}

/** Moves the waiting rows to the shown ones. Spans beyond the limit of the waiting list count as skipped. */
export function release<R extends Row>(feed: Feed<R>): Feed<R> {
  if (feed.waitingCount === 0) return feed
  const waiting = new Set(feed.waiting.map(({ id }) => id))
  return {
    ...feed,
    shown: [...feed.waiting, ...feed.shown.filter(({ id }) => !waiting.has(id))].slice(0, maxRows),
    waiting: [],
    waitingCount: 0,
    skipped: feed.skipped + feed.waitingCount - feed.waiting.length,
  }
}

/** Returns the mean rate in spans a second over the last complete seconds. */
export const meanRate = ({ rate }: Pick<Feed<Row>, 'rate'>, seconds = 10): number =>
  rate.slice(-seconds - 1, -1).reduce((sum, count) => sum + count, 0) / seconds
