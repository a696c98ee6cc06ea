// Floor 3. The newest stored result that a rule lets be served, from the events.
import type { Runner } from '../../store/database.ts'
import type { ResultRule } from './rule-book.ts'

export type StoredResult = {
  /** Unix microseconds. */
  readonly startUs: number
  readonly endUs: number
  readonly contentHash: string
  readonly keyId: string
  readonly ciphertext: Buffer
  readonly iv: Buffer
  readonly tag: Buffer
}

export type Found = {
  readonly result: StoredResult | null
  /** When a newer one will have ended, by its own clock; null: none is known. */
  readonly aheadEndUs: number | null
}

type Row = { ahead_end_us: number | null } & (
  | { start_us: null }
  | {
      start_us: number
      duration_us: number
      content_hash: string
      key_id: string
      ciphertext: Buffer
      iv: Buffer
      tag: Buffer
    }
)

/** As of `nowMs`. One indexed query. Throws Outage. */
export async function findResult(db: Pick<Runner, 'row'>, rule: ResultRule, nowMs: number): Promise<Found> {
  const { workspaceId, toolName, inputHash, agentId, freshnessS } = rule
  const window = [agentId, new Date(nowMs - freshnessS * 1_000), new Date(nowMs)]
  const row =
    inputHash === null
      ? await db.row<Row>('apply/find-result-of-tool', [workspaceId, toolName, ...window])
      : await db.row<Row>('apply/find-result-of-input', [workspaceId, toolName, inputHash, ...window])
  if (row === null) throw new Error('the statement that finds a tool result returned no row')
  return { result: row.start_us === null ? null : readResult(row), aheadEndUs: row.ahead_end_us }
}

const readResult = (row: Extract<Row, { start_us: number }>): StoredResult => ({
  startUs: row.start_us,
  endUs: row.start_us + row.duration_us,
  contentHash: row.content_hash,
  keyId: row.key_id,
  ciphertext: row.ciphertext,
  iv: row.iv,
  tag: row.tag,
})
