// Queries the service over one kept connection, and the database directly, and measures the time of each answer.
import { Agent, request } from 'node:http'
import pg from 'pg'
import { copyOut } from '../../src/store/copy-out.ts'

export type Timed<T> = { readonly value: T; readonly ms: number }
export type ReadsClient = {
  /** GET; throws on any status but 200. */
  get<Body>(path: string): Promise<Timed<Body>>
  /**
   * Returns the number of bytes that a query without parameters returns by binary COPY. They are received as the service receives them, and
   * not decoded.
   */
  copy(text: string): Promise<Timed<number>>
  /** Runs a prepared statement of this name, planned for its values, as the service plans it. */
  query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Timed<Row[]>>
  stop(): Promise<void>
}

export async function openReadsClient(baseUrl: string, token: string, databaseUrl: string): Promise<ReadsClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const database = new pg.Client({
    connectionString: databaseUrl,
    options: '-c timezone=UTC -c plan_cache_mode=force_custom_plan',
  })
  await database.connect()
  const headers = { authorization: `Bearer ${token}` }
  const ask = (path: string): Promise<{ status: number; text: string }> =>
    new Promise((done, fail) => {
      const call = request(baseUrl + path, { agent, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      })
      call.once('error', fail).end()
    })
  return {
    async get<Body>(path: string): Promise<Timed<Body>> {
      const startedAtMs = performance.now()
      const { status, text } = await ask(path)
      const ms = performance.now() - startedAtMs
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
      return { value: JSON.parse(text) as Body, ms }
    },
    async query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Timed<Row[]>> {
      const startedAtMs = performance.now()
      const { rows } = await database.query<Row>({ name, text, values: [...values] })
      return { value: rows, ms: performance.now() - startedAtMs }
    },
    async copy(text) {
      let bytes = 0
      const startedAtMs = performance.now()
      await copyOut(database, 60_000, [{ query: text, take: (row) => (bytes += row.bytes.length) }])
      return { value: bytes, ms: performance.now() - startedAtMs }
    },
    async stop() {
      agent.destroy()
      await database.end()
    },
  }
}
