// Inserts rules in force and a stored result straight into the tables of a bench.
import { makeUuidV7 } from '../../src/base/ids.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import type { BenchPostgres } from './_postgres.ts'

const resultBytes = 1_024

/** The scope whose result the bench requests. */
export const benchScope = 'scope'

/** Inserts decisions for the tools tool_0, tool_1 and so on, for any input. Returns their ids. */
export async function insertRules({ query }: BenchPostgres, workspaceId: string, rules: number): Promise<string[]> {
  const ids = Array.from({ length: rules }, () => makeUuidV7())
  for (const [nth, id] of ids.entries()) {
    const config = {
      tool_name: `tool_${nth}`,
      input_hash: null,
      freshness_s: 3_600,
      holdout_rate: 0.05,
      floor: 0.97,
      alpha: 0.05,
    }
    await query(
      `insert into decisions (id, workspace_id, type, state, tool_name, config, activated_at)
       values ($1, $2, 'suppress_dead', 'active', $3, $4, now())`,
      [id, workspaceId, `tool_${nth}`, config],
    )
  }
  return ids
}

/** Inserts a result of tool_0, a minute old, of 1 KiB. */
export async function insertResult({ query }: BenchPostgres, workspaceId: string): Promise<void> {
  const start = new Date(Date.now() - 60_000).toISOString()
  await storeEvents(query, workspaceId, [
    {
      start,
      trace: hexId(1, 32),
      span: hexId(1, 16),
      kind: 'tool',
      tool: 'tool_0',
      inputHash: 'input',
      scopeHash: benchScope,
      attested: true,
      attestedUnread: true,
      contentHash: `hmac-sha256:${'0'.repeat(64)}`,
      keyId: 'key',
    },
  ])
  await query('update tool_results set ciphertext = $2 where workspace_id = $1', [
    workspaceId,
    Buffer.alloc(resultBytes, 0xa7),
  ])
}
