// The control of the ingest bench, a process of its own: what one writes in an afternoon. Protobufjs objects, one row object a
// span, insert … select from unnest of text arrays, jsonb. It answers after the commit too, and does nothing else on purpose.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { answerParent } from './_child.ts'
import { type NaiveRow, readNaiveRows } from './_naive-rows.ts'
import { type NaiveColumn, naiveColumns, naiveInsert } from './_naive-table.ts'

export type NaiveQuestion = { readonly url: string; readonly connections: number }

const inflate = promisify(gunzip)
const columns = Object.keys(naiveColumns) as NaiveColumn[]

answerParent(async ({ url, connections }: NaiveQuestion) => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const workspaces = new Map<string, string>()
  const server = createServer((request, response) => {
    receive(pool, workspaces, request, response).catch(() => response.writeHead(503, { 'Retry-After': '1' }).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as { port: number }).port
})

async function receive(
  pool: pg.Pool,
  workspaces: Map<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const workspaceId = await authenticate(pool, workspaces, request.headers.authorization ?? '')
  if (workspaceId === null) return void response.writeHead(401).end()
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const sent = Buffer.concat(chunks)
  const body = request.headers['content-encoding'] === 'gzip' ? await inflate(sent) : sent
  const rows = readNaiveRows(body, workspaceId)
  await insert(pool, rows)
  response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
}

/** Each key is looked up once. */
async function authenticate(pool: pg.Pool, known: Map<string, string>, header: string): Promise<string | null> {
  const key = header.replace(/^Bearer /, '')
  const workspaceId = known.get(key)
  if (workspaceId !== undefined) return workspaceId
  const digest = createHash('sha256').update(key).digest()
  const { rows } = await pool.query<{ workspace_id: string }>('select workspace_id from api_keys where digest = $1', [
    digest,
  ])
  if (rows[0] === undefined) return null
  known.set(key, rows[0].workspace_id)
  return rows[0].workspace_id
}

/** One statement, which is a transaction of its own; prepared once a connection. */
async function insert(pool: pg.Pool, rows: readonly NaiveRow[]): Promise<void> {
  await pool.query({
    name: 'insert',
    text: naiveInsert,
    values: columns.map((column) => rows.map((row) => row[column])),
  })
}
