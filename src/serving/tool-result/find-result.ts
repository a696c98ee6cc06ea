// Finds the newest stored result that a rule may serve, in the events.
import type { Runner } from '../../store/database.ts'
import type { WantedResult } from './match.ts'

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

export type FoundResult = {
  readonly result: StoredResult | null
  /** Time at which a newer execution will have ended, by its own clock; null: none is known. */
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

/** Finds the result as of `nowMs`. One indexed query. Throws Outage. */
export async function findResult(
  db: Pick<Runner, 'row'>,
  { rule, hash }: WantedResult,
  nowMs: number,
): Promise<FoundResult> {
  const { workspaceId, type, toolName, toolVersion, agentId, decisionId, freshnessS } = rule
  const statement = type === 'suppress_dead' ? 'serving/find-result-of-scope' : 'serving/find-result-of-input'
  const window = [new Date(nowMs - freshnessS * 1_000), new Date(nowMs)]
  const row = await db.row<Row>(statement, [workspaceId, toolName, toolVersion, hash, agentId, decisionId, ...window])
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
