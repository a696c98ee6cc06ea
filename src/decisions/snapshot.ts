// The rules of a workspace as its SDKs receive them: the active decisions, serialized once for all readers.
import { inputPrefix } from '../base/input-prefix.ts'
import type { Runner } from '../store/database.ts'
import { maxInputs } from './policy/input-table.ts'

export type SnapshotDeps = {
  readonly db: Pick<Runner, 'rows'>
  /** Polling interval of an SDK that does not long-poll, in seconds. */
  readonly pollAfterS: number
}

/** `text`: the JSON body of GET /v1/apply/rules. The same state of the database gives the same bytes in every process. */
export type RulesSnapshot = { readonly version: string; readonly text: string }

/**
 * Of all rules of a workspace. An SDK takes a body of at most 8 MiB: these inputs fill 2.8 MiB of it, and 1,000 live decisions, with their
 * subjects beside their configs, less than 5 MiB (`decisions/read-workspace.sql`).
 */
const maxInputsOfAll = 196_608

type Row = {
  version: string
  changed_at: Date
  default_freshness_s: number
  default_holdout_rate: number
  decision_id: string | null
  type: string
  tool_name: string
  tool_version: string | null
  input_hash: string | null
  /** Full hashes, separated by spaces. */
  inputs: string | null
  agent_id: string | null
  agent_name: string | null
  config: Record<string, unknown>
  proven: boolean
  /** The proven maximum age; null: the type proves none. */
  served_freshness_s: number | null
  activated_at: Date | null
  executed_after: Date | null
  /** In the format of `inputs`. */
  invalidated: string | null
}

/** Returns `same` if the version is still `ifVersion`, and null if the workspace is gone. One indexed query. Throws Outage. */
export async function readRules(
  deps: SnapshotDeps,
  workspaceId: string,
  ifVersion: string | null,
): Promise<RulesSnapshot | 'same' | null> {
  const rows = await deps.db.rows<Row>('decisions/active-rules', [workspaceId, ifVersion, maxInputsOfAll, maxInputs])
  const first = rows[0]
  if (first === undefined) return null
  if (first.version === ifVersion) return 'same'
  const body = {
    version: first.version,
    generated_at: first.changed_at.toISOString(),
    poll_after_s: deps.pollAfterS,
    rules: rows.filter((row) => row.decision_id !== null).map(describeRule),
  }
  return { version: first.version, text: JSON.stringify(body) }
}

function describeRule(row: Row): object {
  const { freshness_s: freshnessS, holdout_rate: holdoutRate } = row.config
  return {
    decision_id: row.decision_id,
    type: row.type,
    tool_name: row.tool_name,
    tool_version: row.tool_version,
    input_hash: row.input_hash,
    inputs: listInputs(row),
    agent_id: row.agent_id,
    // An SDK knows its agent by this name; the id is internal to the service.
    agent_name: row.agent_name,
    freshness_s: row.served_freshness_s ?? (typeof freshnessS === 'number' ? freshnessS : row.default_freshness_s),
    holdout_rate: typeof holdoutRate === 'number' ? holdoutRate : row.default_holdout_rate,
    config: row.config,
    proven: row.proven,
    activated_at: row.activated_at?.toISOString() ?? null,
    executed_after: row.executed_after?.toISOString() ?? null,
  }
}

/**
 * Returns the input prefixes, sorted by code unit. A rule for every input serves only the inputs that it lists. An input that was
 * invalidated on its own is left out until the rule is measured again, so that SDKs drop it from their memory.
 */
function listInputs({ type, input_hash: inputHash, inputs, invalidated }: Row): string[] | null {
  if (type !== 'reuse_identity' || inputHash !== null) return null
  const left = new Set(splitHashes(invalidated))
  const prefixes = splitHashes(inputs).flatMap((hash) => (left.has(hash) ? [] : inputPrefix(hash)))
  return [...new Set(prefixes)].sort()
}

const splitHashes = (hashes: string | null): string[] => (hashes === null || hashes === '' ? [] : hashes.split(' '))
