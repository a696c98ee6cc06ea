// The naive control of the ingest bench, in its own process: what a developer writes in an afternoon. Protobufjs objects, one row object a
// span, insert … select from unnest of text arrays, jsonb. It also answers after the commit, and deliberately does nothing else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { answerParent } from './_child.ts'
import { findWorkspace } from './_control-key.ts'
import { type ControlColumn, controlColumns, naiveInsert } from './_control-table.ts'
import type { ControlQuestion } from './_controls.ts'
import { type NaiveRow, readNaiveRows } from './_naive-rows.ts'

const inflate = promisify(gunzip)
const columns = Object.keys(controlColumns) as ControlColumn[]

answerParent(async ({ url, connections }: ControlQuestion) => {
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
  const workspaceId = await findWorkspace(pool, workspaces, request.headers.authorization ?? '')
  if (workspaceId === null) return void response.writeHead(401).end()
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const sent = Buffer.concat(chunks)
  const body = request.headers['content-encoding'] === 'gzip' ? await inflate(sent) : sent
  const rows = readNaiveRows(body, workspaceId)
  await insert(pool, rows)
  response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
}

/** Runs one statement, which is its own transaction; it is prepared once for each connection. */
async function insert(pool: pg.Pool, rows: readonly NaiveRow[]): Promise<void> {
  await pool.query({
    name: 'insert',
    text: naiveInsert,
    values: columns.map((column) => rows.map((row) => row[column])),
  })
}
