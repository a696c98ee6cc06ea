import test from 'ava'
import { ApiFault } from '../../src/api/fault.ts'
import {
  emptyFeed,
  fillFeed,
  maxRows,
  meanRate,
  receive,
  release,
  tick,
  withoutRows,
} from '../../src/pages/live/feed.ts'
import { followTail, type TailAnswer } from '../../src/pages/live/follow-tail.ts'

type Row = { id: string; status: string }
const rows = (from: number, to: number, status = 'ok'): Row[] =>
  Array.from({ length: to - from }, (_, at) => ({ id: `${from + at}`, status }))
const ids = (feed: { shown: readonly Row[] }): string[] => feed.shown.map(({ id }) => id)

test('the newest span is listed first, and each span once', (t) => {
  const begun = receive(emptyFeed<Row>(0), { items: rows(2, 4), skipped: 0 }, false, 0)
  const filled = fillFeed(begun, rows(0, 3).toReversed())
  t.deepEqual(ids(filled), ['3', '2', '1', '0'])
})

test('during a pause spans are counted and the list stays; afterwards they are shown', (t) => {
  const shown = receive(emptyFeed<Row>(0), { items: rows(0, 2), skipped: 0 }, false, 0)
  const paused = receive(shown, { items: rows(2, 5, 'error'), skipped: 0 }, true, 0)
  t.deepEqual(ids(paused), ['1', '0'])
  t.is(paused.waitingCount, 3)
  t.is(paused.failed, 3)
  t.deepEqual(ids(release(paused)), ['4', '3', '2', '1', '0'])
})

test('check 38: two minutes of 500 spans a second keep 500 rows, and every other span is counted', (t) => {
  let feed = emptyFeed<Row>(0)
  for (let second = 0; second < 120; second += 1) {
    const items = rows(second * 500, (second + 1) * 500)
    // The page is paused for one minute in the middle.
    const isPaused = second >= 30 && second < 90
    for (const at of [0, 200, 400]) {
      feed = receive(feed, { items: items.slice(at, at + 200), skipped: 0 }, isPaused, second * 1_000)
      t.true(feed.shown.length <= maxRows && feed.waiting.length <= maxRows)
    }
    if (second === 89) t.is(feed.waitingCount, 60 * 500)
  }
  t.is(feed.received, 60_000)
  t.is(feed.shown[0]?.id, '59999')
  // The first response after the pause is shown together with the waiting rows.
  t.is(feed.skipped, 60 * 500 + 200 - maxRows)
  t.is(meanRate(tick(feed, 120_000)), 500)
})

test('spans that the service no longer lists are counted as skipped', (t) => {
  t.is(receive(emptyFeed<Row>(0), { items: [], skipped: 7 }, false, 0).skipped, 7)
})

test('the rate forgets what is older than a minute', (t) => {
  const feed = receive(emptyFeed<Row>(0), { items: rows(0, 9), skipped: 0 }, false, 0)
  t.is(
    tick(feed, 59_000).rate.reduce((sum, count) => sum + count, 0),
    9,
  )
  t.is(
    tick(feed, 61_000).rate.reduce((sum, count) => sum + count, 0),
    0,
  )
})

const faultOf = (status: number, retryAfterS: number | null = null): ApiFault =>
  new ApiFault({ status, detail: 'refused', requestId: null, retryAfterS, fields: [] })

/** Follows a stream with these responses, and returns the requested cursors, the waits in milliseconds, the losses and the faults. */
async function follow(answers: readonly (string | ApiFault)[]) {
  const ending = new AbortController()
  const cursors: (string | null)[] = []
  const sleeps: number[] = []
  const faults: unknown[] = []
  const lost: number[] = []
  const read = async (cursor: string | null): Promise<TailAnswer<Row>> => {
    await Promise.resolve()
    const answer = answers[cursors.length]
    if (answer === undefined) ending.abort()
    else cursors.push(cursor)
    if (answer instanceof ApiFault) throw answer
    return { items: [], next_cursor: answer ?? '', skipped: 0 }
  }
  const sleep = async (ms: number): Promise<void> => void sleeps.push(ms)
  const onLost = (): void => void lost.push(cursors.length)
  await followTail(
    { read, sleep, onLost, onAnswer: () => undefined, onFault: (fault) => faults.push(fault) },
    ending.signal,
  )
  return { cursors, sleeps, lost, faults: faults.map((fault) => (fault instanceof ApiFault ? fault.status : fault)) }
}

test('each answer says where the next request begins, also after the service was busy', async (t) => {
  const { cursors, sleeps, faults } = await follow(['a', 'b', faultOf(503, 3), faultOf(0), 'c', 'd'])
  t.deepEqual(cursors, [null, 'a', 'b', 'b', 'b', 'c'])
  t.deepEqual(sleeps, [3_000, 2_000])
  t.deepEqual(faults, [503, 0, null])
})

test('if the service does not know the cursor any more, the stream continues from now', async (t) => {
  const { cursors, lost } = await follow(['a', faultOf(422), 'b', 'c'])
  t.deepEqual(cursors, [null, 'a', null, 'b'])
  // The loss is reported before the next response, so that the page loads earlier spans again.
  t.deepEqual(lost, [2])
  const feed = receive(emptyFeed<Row>(0), { items: rows(0, 2, 'error'), skipped: 1 }, false, 0)
  const anew = receive(
    fillFeed(withoutRows(feed), rows(2, 4).toReversed()),
    { items: rows(4, 5), skipped: 0 },
    false,
    0,
  )
  t.deepEqual(ids(anew), ['4', '3', '2'])
  t.deepEqual([anew.received, anew.failed, anew.skipped], [3, 2, 1])
})

test('a refusal that a retry cannot change ends the stream', async (t) => {
  t.deepEqual((await follow(['a', faultOf(404), 'b'])).cursors, [null, 'a'])
})
