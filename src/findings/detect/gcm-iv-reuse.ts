// Floor 3. Finds keys that encrypted different results under one IV, which gives the plaintexts and the key's integrity away.
import { type Detector, describeReach, type Found, type Look, type Reach, stretchOf, windowOf } from '../found.ts'
import { count, pricedAs, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000

type Row = Reach & {
  readonly key_id: string
  readonly results: number
  readonly ivs: number
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the key. Always critical. */
export const gcmIvReuse: Detector = {
  type: 'gcm_iv_reuse',
  lookBackMs,
  detect: async (look) => {
    const { from, to } = windowOf(look, lookBackMs)
    const rows = await look.rows<Row>('findings/find-reused-ivs', [look.workspaceId, from, to])
    return rows.map((row) => describe(look, row))
  },
}

function describe(look: Look, row: Row): Found {
  const key = quote(row.key_id)
  return {
    subject: row.key_id,
    severity: 'critical',
    title: `Key ${key} encrypted different results under the same IV`,
    detail:
      `${count(row.results, 'result')} of ${stretchOf(look, lookBackMs, row)} were encrypted by AES-GCM with the key ${key} and ${count(row.ivs, 'IV')} that ` +
      `another result under this key has too. Whoever sees two of them learns how their plaintexts differ and can forge results. ` +
      `Stop using the key now, make a new one, and let each encryption draw 12 random bytes of its own. ` +
      pricedAs(null, 'a leak has none'),
    agentId: null,
    toolName: null,
    model: null,
    occurrences: row.results,
    estMonthlyCostUsd: null,
    evidence: {
      trace_ids: row.trace_ids,
      key_id: row.key_id,
      results: row.results,
      reused_ivs: row.ivs,
      price: { basis: 'a leak has none' },
      looked_at: describeReach(lookBackMs, row),
    },
    decision: null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
