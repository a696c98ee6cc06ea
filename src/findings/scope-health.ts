// Determines when the telemetry of an instrumentation scope is unclear, why, and what to change in its set-up.
import type { ScopeUse } from '../rollups/scopes/read-scopes.ts'
import { count, percent, quote, usd } from './wording.ts'

/** A scope, summed over its versions and dialects. */
export type ScopeHealth = {
  readonly name: string | null
  /** Sorted. Spans without a version are left out. */
  readonly versions: readonly string[]
  readonly dialects: readonly string[]
  readonly spans: number
  readonly other: number
  /** Spans of model calls. */
  readonly calls: number
  readonly toldTwice: number
  readonly repeated: number
  readonly unpriced: number
  readonly costDisagreements: number
  readonly costDisagreementUsd: number
}

type Reason = 'other' | 'told_twice' | 'unpriced' | 'cost_disagrees'

export type Unclear = {
  readonly health: ScopeHealth
  readonly reasons: readonly { readonly reason: Reason; readonly spans: number; readonly share: number }[]
  /** Names of other scopes with calls that are reported twice, those with the most first. Null: the spans have no scope. */
  readonly alsoReportedBy: readonly (string | null)[]
}

type About = Pick<Unclear, 'health' | 'alsoReportedBy'>

type Rule = {
  readonly count: (health: ScopeHealth) => number
  /** The number of which `count` is a share. */
  readonly among: (health: ScopeHealth) => number
  /** A smaller number may be chance. */
  readonly minCount: number
  readonly minShare: number
  /** The costs shown are wrong. */
  readonly isCostly: boolean
  readonly title: (spans: number, share: number) => string
  readonly detail: (spans: number, share: number, about: About) => string
}

const callsOf = ({ calls }: ScopeHealth): number => calls

const nameInText = (name: string | null): string => (name === null ? 'an instrumentation without a scope' : quote(name))

export const unclearReasons: Readonly<Record<Reason, Rule>> = {
  other: {
    count: ({ other }) => other,
    among: ({ spans }) => spans,
    minCount: 50,
    minShare: 0.5,
    isCostly: false,
    title: (_spans, share) => `${percent(share)} of its spans have no known kind`,
    detail: (spans, share, { health }) =>
      `${count(spans, 'span')} (${percent(share)}) ${spans === 1 ? 'has' : 'have'} the kind “other”, because ${
        health.dialects.length === 0
          ? 'the service knows none of their attributes'
          : 'none of their attributes states a known kind'
      }. If it instruments agents, use a release that follows the OpenTelemetry GenAI conventions, or set gen_ai.operation.name on its ` +
      'spans; if it instruments something else, such as HTTP or a database, leave its spans out of the export.',
  },
  told_twice: {
    count: ({ repeated }) => repeated,
    among: callsOf,
    minCount: 10,
    minShare: 0.1,
    isCostly: false,
    title: (spans) => `${count(spans, 'call')} reported twice`,
    detail: (spans, share, { alsoReportedBy }) =>
      `${count(spans, 'model call')} (${percent(share)}) ${spans === 1 ? 'is' : 'are'} also reported by ${
        alsoReportedBy.length === 0 ? 'another instrumentation' : alsoReportedBy.map(nameInText).join(', ')
      }. Each counts once, but is sent and stored twice: turn one of the instrumentations off.`,
  },
  unpriced: {
    count: ({ unpriced }) => unpriced,
    among: callsOf,
    minCount: 5,
    minShare: 0.1,
    isCostly: true,
    title: (spans) => `${count(spans, 'call')} without a price`,
    detail: (spans, share) =>
      `${count(spans, 'model call')} (${percent(share)}) ${spans === 1 ? 'reports' : 'report'} tokens but could not be priced, so the ` +
      'costs shown are too low. Configure it to send the model and the provider by the names that the provider itself uses ' +
      '(gen_ai.request.model, gen_ai.provider.name).',
  },
  cost_disagrees: {
    count: ({ costDisagreements }) => costDisagreements,
    among: callsOf,
    minCount: 5,
    minShare: 0.1,
    isCostly: true,
    title: (spans) => `${count(spans, 'call')} with a cost that differs from the computed one`,
    detail: (spans, share, { health }) =>
      `${count(spans, 'model call')} (${percent(share)}) ${spans === 1 ? 'reports' : 'report'} a cost that differs from the computed one by ` +
      `more than 5 %; the differences sum to ${usd(health.costDisagreementUsd)}. Check that it reports all tokens (cached ones are part of the input ` +
      'tokens), the model that answered, and current prices.',
  },
}

const order: readonly Reason[] = ['unpriced', 'cost_disagrees', 'told_twice', 'other']
const maxNamed = 3

/** Returns the scopes with a reason, those with the most spans first. */
export function listReasons(uses: readonly ScopeUse[]): Unclear[] {
  const scopes = [...Map.groupBy(uses, ({ name }) => name)].map(([name, own]) => addUp(name, own))
  const twice = scopes.filter(({ toldTwice }) => toldTwice > 0).sort((a, b) => b.toldTwice - a.toldTwice)
  const unclear = scopes.flatMap((health) => {
    const reasons = order.flatMap((reason) => judge(health, reason))
    if (reasons.length === 0) return []
    const others = twice.filter((one) => one !== health).map(({ name }) => name)
    const isTwice = reasons.some(({ reason }) => reason === 'told_twice')
    return [{ health, reasons, alsoReportedBy: isTwice ? others.slice(0, maxNamed) : [] }]
  })
  return unclear.sort((a, b) => b.health.spans - a.health.spans || compareNames(a.health, b.health))
}

const compareNames = (a: ScopeHealth, b: ScopeHealth): number => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)

function judge(health: ScopeHealth, reason: Reason): Unclear['reasons'] {
  const { count: countOf, among, minCount, minShare } = unclearReasons[reason]
  const spans = countOf(health)
  const share = spans / Math.max(1, among(health))
  return spans >= minCount && share >= minShare ? [{ reason, spans, share }] : []
}

function addUp(name: string | null, uses: readonly ScopeUse[]): ScopeHealth {
  const sum = (read: (use: ScopeUse) => number): number => uses.reduce((total, use) => total + read(use), 0)
  const distinct = (read: (use: ScopeUse) => string | null): string[] =>
    [...new Set(uses.map(read))].filter((text) => text !== null).sort()
  return {
    name,
    versions: distinct(({ version }) => version),
    dialects: distinct(({ dialect }) => dialect),
    spans: sum(({ spans }) => spans),
    other: sum(({ byKind }) => byKind['other'] ?? 0),
    calls: sum(({ byKind }) => (byKind['llm'] ?? 0) + (byKind['embedding'] ?? 0)),
    toldTwice: sum(({ toldTwice }) => toldTwice),
    repeated: sum(({ repeated }) => repeated),
    unpriced: sum(({ unpriced }) => unpriced),
    costDisagreements: sum(({ costDisagreements }) => costDisagreements),
    // Rounded to a millionth: sums of floating-point numbers depend on the order of additions.
    costDisagreementUsd: Math.round(sum(({ costDisagreementUsd }) => costDisagreementUsd) * 1e6) / 1e6,
  }
}
