// Finds keys that encrypted different results under one IV, which exposes the plaintexts and destroys the integrity of the key.
import {
  type Detector,
  describeCoverage,
  type FindingDraft,
  type ScanContext,
  type ScanCoverage,
  windowOf,
  wordCovered,
} from '../detector.ts'
import { count, noEstimate, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000

type Row = ScanCoverage & {
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
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const rows = await scan.rows<Row>('findings/find-reused-ivs', [scan.workspaceId, from, to])
    return rows.map((row) => describe(scan, row))
  },
}

function describe(scan: ScanContext, row: Row): FindingDraft {
  const key = quote(row.key_id)
  return {
    subject: row.key_id,
    severity: 'critical',
    title: `Key ${key} encrypted different results with the same IV`,
    detail:
      `${count(row.results, 'result')} of ${wordCovered(scan, lookBackMs, row)} were encrypted with AES-GCM and the key ${key}, but have only ${count(row.ivs, 'IV')}; ` +
      `each result needs its own. Anyone who has two results with the same IV can compute the XOR of their plaintexts ` +
      `and can forge results. Stop using this key now, create a new one, and use 12 new random bytes as the IV of each encryption. ` +
      noEstimate('a leak has no monthly cost'),
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
      price: { basis: 'a leak has no monthly cost' },
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
