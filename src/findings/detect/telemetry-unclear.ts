// Finds instrumentations whose spans cannot be understood, report calls twice, or disagree about costs.
import { readWholeScopes } from '../../rollups/scopes/read-scopes.ts'
import type { Detector, FindingDraft } from '../detector.ts'
import { listReasons, type ScopeHealth, type Unclear, unclearReasons } from '../scope-health.ts'
import { count, noEstimate, quote } from '../wording.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
// 24 hours, extended to the full hour.
const lookBackMs = 25 * hourMs
const maxScopes = 1_000
const maxSubjects = 50
const maxTraces = 10

type Row = {
  readonly name: string
  readonly reason: string
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the instrumentation scope, regardless of its version. Counted apart from rollups. */
export const telemetryUnclear: Detector = {
  type: 'telemetry_unclear',
  lookBackMs,
  detect: async (scan) => {
    const fromMs = Math.floor(scan.nowMs / hourMs) * hourMs - 24 * hourMs
    const window = { fromMs, toMs: Math.ceil(scan.nowMs / minuteMs) * minuteMs }
    const found = listReasons(await readWholeScopes(scan, scan.workspaceId, window, maxScopes)).slice(0, maxSubjects)
    if (found.length === 0) return []
    const pairs = found.flatMap(({ health, reasons }) => reasons.map(({ reason }) => [health.name ?? '', reason]))
    const rows = await scan.rows<Row>('findings/read-unclear-spans', [
      scan.workspaceId,
      new Date(fromMs),
      new Date(scan.nowMs),
      pairs.map(([name]) => name),
      pairs.map(([, reason]) => reason),
    ])
    return found.map((one) =>
      describe(
        one,
        rows.filter(({ name }) => name === (one.health.name ?? '')),
        new Date(fromMs),
      ),
    )
  },
}

function describe({ health, reasons, alsoReportedBy }: Unclear, rows: readonly Row[], from: Date): FindingDraft {
  const of = { health, alsoReportedBy }
  const short = reasons.map(({ reason, spans, share }) => unclearReasons[reason].title(spans, share))
  const long = reasons.map(({ reason, spans, share }) => unclearReasons[reason].detail(spans, share, of))
  const firstMs = Math.min(...rows.map(({ first_seen }) => first_seen.getTime()))
  const lastMs = Math.max(...rows.map(({ last_seen }) => last_seen.getTime()))
  const isCostly = reasons.some(({ reason }) => unclearReasons[reason].isCostly)
  return {
    subject: health.name ?? '',
    severity: isCostly ? 'warning' : 'info',
    title: `Telemetry ${health.name === null ? 'without a scope' : `of ${quote(health.name)}`} is unclear: ${short.join(', ')}`,
    detail:
      `In the last 24 hours ${wordScope(health)} sent ${count(health.spans, 'span')}${wordVersions(health)}. ` +
      `${long.join(' ')} ${noEstimate('unclear telemetry has no cost of its own')}`,
    agentId: null,
    toolName: null,
    model: null,
    occurrences: reasons.reduce((sum, { spans }) => sum + spans, 0),
    estMonthlyCostUsd: null,
    evidence: {
      trace_ids: pickTraces(rows),
      scope_name: health.name,
      scope_versions: health.versions,
      dialects: health.dialects,
      spans: health.spans,
      reasons: reasons.map(({ reason, spans, share }) => ({ reason, spans, share })),
      cost_disagreement_usd: health.costDisagreementUsd,
      also_reported_by: alsoReportedBy.map((name) => name ?? 'no scope'),
      price: { basis: 'unclear telemetry has no cost of its own' },
    },
    decision: null,
    firstSeen: rows.length === 0 ? from : new Date(firstMs),
    lastSeen: rows.length === 0 ? from : new Date(lastMs),
  }
}

const wordScope = ({ name }: ScopeHealth): string =>
  name === null ? 'an instrumentation without a scope' : `the instrumentation ${quote(name)}`

const wordVersions = ({ versions }: ScopeHealth): string =>
  versions.length === 0 ? '' : ` (${versions.length === 1 ? 'version' : 'versions'} ${versions.slice(0, 3).join(', ')})`

/** Picks the newest traces of each reason first. */
function pickTraces(rows: readonly Row[]): string[] {
  const picked = new Set<string>()
  for (let nth = 0; nth < maxTraces; nth += 1) {
    for (const { trace_ids } of rows) {
      const id = trace_ids[nth]
      if (id !== undefined && picked.size < maxTraces) picked.add(id)
    }
  }
  return [...picked]
}
