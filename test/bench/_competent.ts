// The competent control of the ingest bench, in its own process: what an experienced developer writes with libraries. Fastify, protobufjs,
// real columns, one COPY a request into one table with three indexes, the answer after the commit, keys cached in memory. It leaves out the
// other work of the service: threads, redaction, settling of traces, agents, rollups, quotas, partial rejection of bad spans, and
// idempotency beyond the unique index: a request with one span that is already stored is refused as a whole.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fastify } from 'fastify'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { answerParent } from './_child.ts'
import { findWorkspace } from './_control-key.ts'
import { type ControlColumn, competentCopy, controlColumns } from './_control-table.ts'
import type { ControlQuestion } from './_controls.ts'
import { type NaiveRow, readNaiveRows } from './_naive-rows.ts'

const inflate = promisify(gunzip)
const columns = Object.keys(controlColumns) as ControlColumn[]
const maxBodyBytes = 16 * 1_048_576
const uniqueViolation = '23505'

answerParent(async ({ url, connections }: ControlQuestion) => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const known = new Map<string, string>()
  const app = fastify({ bodyLimit: maxBodyBytes })
  app.addContentTypeParser('application/x-protobuf', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer }>('/v1/otlp/v1/traces', async ({ headers, body }, reply) => {
    const workspaceId = await findWorkspace(pool, known, headers.authorization ?? '')
    if (workspaceId === null) return await reply.code(401).send()
    const plain = headers['content-encoding'] === 'gzip' ? await inflate(body) : body
    try {
      await copy(pool, readNaiveRows(plain, workspaceId))
    } catch (error) {
      // An exporter does not retry a 409: the spans that it sent again are stored.
      if ((error as { code?: string }).code === uniqueViolation) return await reply.code(409).send()
      return await reply.code(503).header('Retry-After', '1').send()
    }
    return await reply.code(200).type('application/x-protobuf').send()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
})

/** Runs one COPY statement, which is its own transaction. */
async function copy(pool: pg.Pool, rows: readonly NaiveRow[]): Promise<void> {
  const client = await pool.connect()
  try {
    const stream = client.query(copyFrom(competentCopy))
    stream.end(encodeRows(rows))
    await once(stream, 'finish')
  } finally {
    client.release()
  }
}

const special = /[\\\n\r\t]/
const everySpecial = /[\\\n\r\t]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Encodes rows in the text format of COPY. */
function encodeRows(rows: readonly NaiveRow[]): string {
  let text = ''
  for (const row of rows) text += `${columns.map((column) => encodeField(row[column])).join('\t')}\n`
  return text
}

function encodeField(value: string | null): string {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(everySpecial, (found) => escapes[found] ?? found) : value
}
