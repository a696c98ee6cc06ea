// The bound of the ingest bench: binary COPY of the same rows that the service stored, into tables of the same shape.
import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { BenchPostgres } from './_postgres.ts'

/** COPY files of one transaction, by table. */
export type Chunk = ReadonlyMap<string, Buffer>

const rowsInChunk = 2_000
const rawName = (table: string): string => `raw_${table}`

/** The tables that spans are stored in, without those of counts. */
const copiedTables = ['events', 'payload_blocks'] as const

/** Creates tables with the same columns, storage, keys, indexes and, on TimescaleDB, chunks. */
export async function makeRawTables(postgres: BenchPostgres): Promise<void> {
  for (const table of copiedTables) await makeLike(postgres, table, rawName(table))
}

/** Creates a copy of one of the service's tables without autovacuum, which would start a minute later, while something else is measured. */
async function makeLike({ query, chunked }: BenchPostgres, table: string, name: string): Promise<void> {
  await query(`create table ${name} (like ${table} including all) with (autovacuum_enabled = off)`)
  if (chunked) await chunkDaily(query, name)
}

/** Makes a hypertable with chunks of a day and without default indexes, as the service's migration does. */
export async function chunkDaily(query: BenchPostgres['query'], table: string): Promise<void> {
  await query(
    `select create_hypertable($1::regclass, by_range('start_time', interval '1 day'), create_default_indexes => false)`,
    [table],
  )
}

/** Returns the stored rows, cut into transactions of 2,000 events; the rows of each table are spread over all transactions. */
export async function readChunks(postgres: BenchPostgres): Promise<Chunk[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const counts = await Promise.all(copiedTables.map(async (table) => await countRows(postgres, table)))
    const chunks = Math.ceil((counts[0] ?? 0) / rowsInChunk)
    const files: Map<string, Buffer>[] = []
    for (let nth = 0; nth < chunks; nth += 1) {
      const chunk = new Map<string, Buffer>()
      for (const [at, table] of copiedTables.entries()) {
        const size = Math.ceil((counts[at] ?? 0) / chunks)
        chunk.set(
          table,
          await readFile(client, `select * from ${table} order by tableoid, ctid limit ${size} offset ${nth * size}`),
        )
      }
      files.push(chunk)
    }
    return files
  } finally {
    await client.end()
  }
}

async function countRows(postgres: BenchPostgres, table: string): Promise<number> {
  const [row] = await postgres.query<{ rows: number }>(`select count(*)::int as rows from ${table}`)
  return row?.rows ?? 0
}

async function readFile(client: pg.Client, select: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of client.query(copyTo(`copy (${select}) to stdout (format binary)`)))
    parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Empties the tables, then copies all chunks over two connections, one transaction each. Returns the seconds it took. */
export async function copyRaw(postgres: BenchPostgres, chunks: readonly Chunk[]): Promise<number> {
  for (const table of copiedTables) await postgres.query(`truncate ${rawName(table)}`)
  const clients = await Promise.all([openClient(postgres.url), openClient(postgres.url)])
  const left = [...chunks]
  const startedAtMs = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let chunk = left.shift(); chunk !== undefined; chunk = left.shift()) {
        await client.query('begin')
        for (const [table, file] of chunk) await writeFile(client, table, file)
        await client.query('commit')
      }
    }),
  )
  const seconds = (performance.now() - startedAtMs) / 1_000
  await Promise.all(clients.map(async (client) => await client.end()))
  return seconds
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function writeFile(client: pg.Client, table: string, file: Buffer): Promise<void> {
  const stream = client.query(copyFrom(`copy ${rawName(table)} from stdin (format binary)`))
  stream.end(file)
  await once(stream, 'finish')
}
