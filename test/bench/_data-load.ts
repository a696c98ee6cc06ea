// A thread that loads its share of the large data set by binary COPY over its own connection. The slices are dealt out to the threads in
// turn, so that together they write in order of time.
import { once } from 'node:events'
import { workerData } from 'node:worker_threads'
import pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { uuidToBytes } from '../../src/base/ids.ts'
import { eventColumns, makeTraceWriter, traceColumns } from './_data-rows.ts'
import { type Layout, mix, readTrace, spansInTrace, workspaceIdAt } from './_data-shape.ts'
import { type DataWriter, makeDataWriter } from './_data-writer.ts'

export type LoadShare = {
  readonly url: string
  readonly layout: Layout
  readonly share: number
  readonly shares: number
  /** Bodies of payload blocks that the service has made, and the number of spans in each. */
  readonly bodies: readonly Uint8Array[]
  readonly spansInBlock: number
}

const tracesInSlice = 20_000
const bufferBytes = 1_048_576

const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const tail = Buffer.from([0xff, 0xff])

const { url, layout, share, shares, bodies, spansInBlock } = workerData as LoadShare

async function openCopy(client: pg.Client, into: string): Promise<CopyStreamQuery> {
  const stream = client.query(copyFrom(`copy ${into} from stdin (format binary)`))
  stream.write(head)
  return stream
}

async function write(stream: CopyStreamQuery, bytes: Buffer | null): Promise<void> {
  if (bytes !== null && !stream.write(bytes)) await once(stream, 'drain')
}

async function close(stream: CopyStreamQuery, ...rest: (Buffer | null)[]): Promise<void> {
  for (const bytes of rest) await write(stream, bytes)
  stream.end(tail)
  await once(stream, 'finish')
}

/** Small tables are copied after the slice's events: one connection copies into one table at a time. */
async function copyWhole(client: pg.Client, into: string, parts: Buffer[]): Promise<void> {
  if (parts.length > 0) await close(await openCopy(client, into), ...parts)
}

function collect(writer: DataWriter, parts: Buffer[], atLeast: number): void {
  const bytes = writer.take(atLeast)
  if (bytes !== null) parts.push(bytes)
}

async function loadSlice(client: pg.Client, from: number): Promise<void> {
  const stream = await openCopy(client, `events (${eventColumns})`)
  const traceParts: Buffer[] = []
  const blockParts: Buffer[] = []
  const block = { seed: 0, traces: 0, lastStartUs: 0 }
  const endBlock = (): void => {
    if (block.traces === 0) return
    blocks.startRow(4)
    blocks.bytes(largeId)
    blocks.randomBytes(block.seed, 4)
    blocks.time(block.lastStartUs)
    blocks.bytes(bodies[block.seed % bodies.length] ?? noBytes)
    block.traces = 0
  }
  for (let at = from; at < Math.min(from + tracesInSlice, layout.traces); at += 1) {
    const facts = readTrace(layout, at)
    if (facts.workspace === 0) {
      if (block.traces === 0) Object.assign(block, { seed: mix(at) + 1_000, lastStartUs: 0 })
      const lastStartUs = writeTrace(facts, { seed: block.seed, firstNo: block.traces * spansInTrace })
      block.lastStartUs = Math.max(block.lastStartUs, lastStartUs)
      block.traces += 1
      if (block.traces === tracesInBlock) endBlock()
    } else writeTrace(facts, null)
    await write(stream, events.take(bufferBytes))
    collect(traces, traceParts, bufferBytes)
    collect(blocks, blockParts, bufferBytes)
  }
  endBlock()
  collect(traces, traceParts, 0)
  collect(blocks, blockParts, 0)
  await close(stream, events.take(0))
  await copyWhole(client, `traces (${traceColumns})`, traceParts)
  await copyWhole(client, 'payload_blocks (workspace_id, id, start_time, body)', blockParts)
}

const events = makeDataWriter(bufferBytes, mix)
const traces = makeDataWriter(bufferBytes, mix)
const blocks = makeDataWriter(bufferBytes, mix)
const writeTrace = makeTraceWriter(events, traces)
const tracesInBlock = Math.floor(spansInBlock / spansInTrace)
const largeId = uuidToBytes(workspaceIdAt(0))
const noBytes = Buffer.alloc(0)

const client = new pg.Client({ connectionString: url })
await client.connect()
for (let from = share * tracesInSlice; from < layout.traces; from += shares * tracesInSlice)
  await loadSlice(client, from)
await client.end()
