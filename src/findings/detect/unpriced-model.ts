// Finds models that are called but have no known price.
import { counterAt } from '../../sketches/counters.ts'
import { type Detector, type FindingDraft, windowOf } from '../detector.ts'
import type { WindowMeasures } from '../measure-window.ts'
import { count, noEstimate, percent, quote } from '../wording.ts'

// Six days, and the time since the full hour 24 hours ago.
const lookBackMs = 7 * 86_400_000 + 3_600_000
const minCalls = 5
const warningShare = 0.1
const maxSubjects = 50
const mixedShare = 0.5

const advice =
  'Send the model and the provider by the names that the provider itself uses. For a model that has no list price, ' +
  'such as a self-hosted one, set a price with PUT /v1/workspaces/{workspace_id}/prices, or acknowledge this finding.'
const mixedAdvice =
  'Most calls of this model have a price: check what these spans lack, such as a token count or the provider.'

type Unpriced = {
  readonly model: string | null
  readonly calls: number
  /** Share of the calls of all models. */
  readonly share: number
  /** Share of the calls of this model. */
  readonly ownShare: number
}

type Row = {
  readonly name: string
  readonly providers: readonly string[] | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the model. Counted from rollups. */
export const unpricedModel: Detector = {
  type: 'unpriced_model',
  lookBackMs,
  detect: async (scan) => {
    const unpriced = listUnpriced(await scan.measured())
    if (unpriced.length === 0) return []
    const { from, to } = windowOf(scan, lookBackMs)
    const rows = await scan.rows<Row>('findings/read-unpriced-calls', [scan.workspaceId, from, to])
    const rowOf = ({ model }: Unpriced): Row | undefined => rows.find(({ name }) => name === (model ?? ''))
    return unpriced.map((one) => describe(one, rowOf(one), from))
  },
}

function listUnpriced({ models }: WindowMeasures): Unpriced[] {
  const countOf = (model: string | null, at: number): number => {
    const compared = models.get(model)
    return (compared?.lately.counters[at] ?? 0) + (compared?.before.counters[at] ?? 0)
  }
  let all = 0
  for (const model of models.keys()) all += countOf(model, counterAt.counted)
  const unpriced = [...models.keys()]
    .map((model) => ({ model, calls: countOf(model, counterAt.unpricedCalls) }))
    .filter(({ calls }) => calls >= minCalls)
    .map((one) => ({ ...one, share: one.calls / all, ownShare: one.calls / countOf(one.model, counterAt.counted) }))
  unpriced.sort((a, b) => b.calls - a.calls || ((a.model ?? '') < (b.model ?? '') ? -1 : 1))
  return unpriced.slice(0, maxSubjects)
}

function describe({ model, calls, share, ownShare }: Unpriced, row: Row | undefined, from: Date): FindingDraft {
  const providers = row?.providers ?? []
  const what = model === null ? 'an unnamed model' : quote(model)
  const sentBy = providers.length === 0 ? '' : ` The spans name the provider as ${providers.map(quote).join(', ')}.`
  return {
    subject: model ?? '',
    severity: share >= warningShare ? 'warning' : 'info',
    title: `${count(calls, 'call')} of ${what} ${calls === 1 ? 'has' : 'have'} no price`,
    detail:
      `${count(calls, 'call')} of ${what} in the last 7 days reported tokens but could not be priced. That is ${percent(share)} of all model calls, ` +
      `so the costs shown are too low.${sentBy} ${ownShare < mixedShare ? mixedAdvice : advice} ` +
      noEstimate('the price is unknown'),
    agentId: null,
    toolName: null,
    model,
    occurrences: calls,
    estMonthlyCostUsd: null,
    evidence: {
      trace_ids: row?.trace_ids ?? [],
      unpriced_calls: calls,
      share_of_calls: share,
      share_of_calls_of_the_model: ownShare,
      providers,
      price: { basis: 'the price is unknown' },
    },
    decision: null,
    firstSeen: row?.first_seen ?? from,
    lastSeen: row?.last_seen ?? from,
  }
}
