import test from 'ava'
import { useTimescale } from '../_kit/db.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan } from '../_kit/spans.ts'

useTimescale()

let service: TestService
test.before(async () => {
  service = await startService({ RETENTION_DAYS: 30, CHUNK_INTERVAL_H: 12 })
})
test.after.always(async () => await service.stop())

const dayMs = 86_400_000

async function send(starts: readonly Date[]): Promise<{ status: number; rejected: number }> {
  const body = JSON.parse(
    encodeRequest(
      starts.map((start) => makeSpan({ start })),
      'json',
    ).toString(),
  )
  const { status, json } = await service.call('POST', '/v1/otlp/v1/traces', { token: service.key, body })
  const { partialSuccess } = json as { partialSuccess?: { rejectedSpans?: string | number } }
  return { status, rejected: Number(partialSuccess?.rejectedSpans ?? 0) }
}

const listChunks = async () =>
  await service.query<{ name: string; hours: number }>(
    `select chunk_name as name, extract(epoch from range_end - range_start)::int / 3600 as hours
     from timescaledb_information.chunks order by chunk_name`,
  )

/** Over all pages: a page ends early, however little it has found, if its scans took long. */
async function countListed(from: string): Promise<number> {
  const path = `/v1/workspaces/${service.workspaceId}/events`
  let events = 0
  for (let query = `from_time=${from}`; ; ) {
    const { json } = await service.call('GET', `${path}?${query}`)
    const { items, next_cursor: cursor } = json as { items: unknown[]; next_cursor: string | null }
    events += items.length
    if (cursor === null) return events
    query = `cursor=${cursor}`
  }
}

test.serial('a span of six days ago is stored, in a chunk as long as configured, and read back', async (t) => {
  const start = new Date(Date.now() - 6 * dayMs)
  t.deepEqual(await send([start]), { status: 200, rejected: 0 })
  await service.settled()
  const chunks = await listChunks()
  t.deepEqual(
    chunks.map(({ hours }) => hours),
    [12, 12],
  )
  const from = new Date(start.getTime() - 1_000).toISOString()
  t.is(await countListed(from), 1)
})

test.serial('spans on thirty dates of 1970 to 2500 are rejected and make no chunk', async (t) => {
  const before = await listChunks()
  const dates = Array.from(
    { length: 30 },
    (_, at) => new Date(Date.UTC(1970 + Math.round((at * 530) / 29), at % 12, 3)),
  )
  t.deepEqual(await send(dates), { status: 200, rejected: 30 })
  t.deepEqual(await send([new Date(Date.now() - 8 * dayMs), new Date(Date.now() + 660_000)]), {
    status: 200,
    rejected: 2,
  })
  t.deepEqual(await listChunks(), before)
})
