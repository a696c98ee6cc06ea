import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import { type Batch, type BatchOutcome, rowCount } from '../../src/ingest/batch.ts'
import { type IngestDeps, makeIngest } from '../../src/ingest/ingest-request.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openPriceBook } from '../../src/pricing/price-book.ts'
import type { BodyHold } from '../../src/threads/decode-pool.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'

const decode = openBatchDecoder(openPriceBook())
const body = () => encodeRequest(makeTraceSpans(5))

/** A take that decodes in this thread, and whose database stores everything unless `answer` returns something else. */
function openTake(answer: (batch: Batch) => Partial<BatchOutcome> = () => ({}), withheldSpans = 0) {
  const seen = { decoded: 0, batches: [] as Batch[], told: [] as BatchOutcome[], news: [] as number[] }
  const plan = { eventQuota: 1_000, agentCap: null } as never
  const deps: IngestDeps = {
    limits: defaultIngestLimits,
    facts: {
      read: async () => ({ plan, contentMode: 'redacted', redactionSecret: new Uint8Array(32), prices: null }),
      forget: () => undefined,
      forgetAll: () => undefined,
    },
    pool: {
      decode: async (task, hold) => {
        seen.decoded++
        hold?.keep()
        const decoded = decode(task)
        return decoded.ok ? { ...decoded, withheldSpans } : decoded
      },
    },
    store: {
      store: async (batch) => {
        seen.batches.push(batch)
        const rows = rowCount(batch)
        const all = { stored: rows, duplicate: batch.repeats, droppedQuota: 0, droppedAgentCap: 0 }
        return { ...all, notStorable: 0, unpriced: 0, workspaceGone: false, timeline: '00000001', ...answer(batch) }
      },
    },
    reserve: async () => null,
    onStored: ({ outcome }) => seen.told.push(outcome),
    onNews: ({ stored }) => seen.news.push(stored),
    onDecoded: () => undefined,
  }
  const take = makeIngest(deps)
  const workspaceId = makeUuidV7()
  const send = async (bytes: Uint8Array, to = workspaceId, hold?: BodyHold) =>
    await take({
      body: new Uint8Array(bytes),
      encoding: 'protobuf',
      gzip: false,
      workspaceId: to,
      ...(hold === undefined ? {} : { hold }),
    })
  return { seen, send, workspaceId }
}

test('a request that comes again is counted as repeated and not decoded again', async (t) => {
  const { seen, send } = openTake()
  const bytes = body()
  await send(bytes)
  const again = await send(bytes)
  t.is(seen.decoded, 1)
  t.true(again.ok && again.outcome.duplicate === 5 && again.outcome.stored === 0 && again.rejections.total === 0)
  t.deepEqual(
    seen.batches.map((batch) => [rowCount(batch), batch.repeats, batch.eventQuota]),
    [
      [5, 0, 1_000],
      [0, 5, 1_000],
    ],
  )
  t.deepEqual(
    seen.told.map(({ stored, duplicate }) => [stored, duplicate]),
    [
      [5, 0],
      [0, 5],
    ],
  )
})

test('the answer to a repeated request also says how many of its spans have withheld content', async (t) => {
  const { seen, send } = openTake(() => ({}), 2)
  const bytes = body()
  t.like(await send(bytes), { withheldSpans: 2 })
  t.like(await send(bytes), { withheldSpans: 2 })
  t.is(seen.decoded, 1)
})

test('duplicates are announced when the answer to their commit was lost, and not when they come again', async (t) => {
  let commits = 0
  const { seen, send } = openTake(() => {
    commits += 1
    if (commits === 1) throw new Outage('failure', 'the answer to COMMIT is lost')
    return { stored: 0, duplicate: 5 }
  })
  const bytes = body()
  await t.throwsAsync(send(bytes), { instanceOf: Outage })
  t.deepEqual(seen.news, [])
  await send(bytes)
  t.deepEqual(seen.news, [0])
  await send(bytes)
  t.deepEqual(seen.news, [0])
})

test('spans of which none is stored are not announced', async (t) => {
  const { seen, send } = openTake(() => ({ stored: 0, duplicate: 0, droppedQuota: 5 }))
  await send(body())
  t.deepEqual(seen.news, [])
})

test('the same bytes of another workspace are another request', async (t) => {
  const { seen, send } = openTake()
  const bytes = body()
  await send(bytes)
  await send(bytes, makeUuidV7())
  t.is(seen.decoded, 2)
})

test('a repeated request is processed again if some of its spans were dropped, refused or rejected', async (t) => {
  for (const lost of [
    { stored: 4, droppedQuota: 1 },
    { stored: 4, droppedAgentCap: 1 },
    { stored: 4, notStorable: 1 },
  ]) {
    const { seen, send } = openTake(() => lost)
    const bytes = body()
    await send(bytes)
    await send(bytes)
    t.is(seen.decoded, 2, JSON.stringify(lost))
  }
  const { seen, send } = openTake()
  const bytes = encodeRequest([...makeTraceSpans(2), { ...makeTraceSpans(1)[0], traceId: new Uint8Array(3) } as never])
  await send(bytes)
  const again = await send(bytes)
  t.is(seen.decoded, 2)
  t.true(again.ok && again.rejections.total === 1)
})

test('after an error of the database no span counts as stored', async (t) => {
  let isAway = false
  const { seen, send } = openTake(() => {
    if (isAway) throw new Outage('failure', 'away')
    return {}
  })
  const [first, second] = [body(), body()]
  await send(first)
  isAway = true
  await t.throwsAsync(send(second), { instanceOf: Outage })
  isAway = false
  await send(first)
  t.is(seen.decoded, 3)
})

test('a batch that is refused by a limit or ends in a conflict does not make other requests unknown', async (t) => {
  const conflict = (code: string) =>
    new Outage('failure', 'the database is not available', { cause: Object.assign(new Error('ended'), { code }) })
  const cases: readonly [Outage, decoded: number][] = [
    [new Outage('limit', 'the commit queue is full'), 2],
    [conflict('40P01'), 2],
    [conflict('25P03'), 2],
    [conflict('57P01'), 3],
    [conflict('ECONNRESET'), 3],
  ]
  for (const [outage, decoded] of cases) {
    let isRefused = false
    const { seen, send } = openTake(() => {
      if (isRefused) throw outage
      return {}
    })
    const first = body()
    await send(first)
    isRefused = true
    await t.throwsAsync(send(body(), makeUuidV7()), { is: outage })
    isRefused = false
    await send(first)
    t.is(seen.decoded, decoded, `${outage.message} ${String(outage.cause)}`)
  }
})

test('a request is decoded and stored again where the database has another timeline than the one it was stored on', async (t) => {
  let timeline = '00000001'
  const isLost = ({ storedOn }: Batch): boolean => storedOn !== undefined && storedOn !== timeline
  const { seen, send } = openTake((batch) => ({ timeline, ...(isLost(batch) ? { duplicate: 0 } : {}) }))
  const bytes = body()
  await send(bytes)
  timeline = '00000002'
  const again = await send(bytes)
  t.true(again.ok && again.outcome.stored === 5 && again.outcome.duplicate === 0)
  t.is(seen.decoded, 2)
  const third = await send(bytes)
  t.true(third.ok && third.outcome.duplicate === 5)
  t.is(seen.decoded, 2)
})

test('a repeated request of a workspace that was deleted meanwhile is refused', async (t) => {
  let isGone = false
  const { send } = openTake(() => ({ workspaceGone: isGone }))
  const bytes = body()
  await send(bytes)
  isGone = true
  t.like(await send(bytes), { ok: false, code: 'workspace_gone' })
})

test('a body is kept and released before its rows are stored, a repeated one is kept while its spans are counted', async (t) => {
  const steps: string[] = []
  const { send, workspaceId } = openTake(() => {
    steps.push('store')
    return {}
  })
  const hold: BodyHold = {
    cut: new AbortController().signal,
    keep: () => void steps.push('keep'),
    release: () => void steps.push('release'),
  }
  const bytes = body()
  await send(bytes, workspaceId, hold)
  t.deepEqual(steps.splice(0), ['keep', 'release', 'store'])
  await send(bytes, workspaceId, hold)
  t.deepEqual(steps, ['keep', 'store'])
})
