// Names the finding that contains the cost of another one, so that nobody adds the two.
import type { FindingDraft } from './detector.ts'
import type { Result } from './write-findings.ts'

const [part, whole] = ['repeated_tool_call', 'unattested_repeat'] as const

type Price = { readonly [name: string]: unknown; readonly seen_usd?: unknown }

const priceOf = ({ evidence }: FindingDraft): Price => (evidence['price'] ?? {}) as Price

/**
 * The repeated calls that an agent makes of a tool are among those that attesting the tool would save, at the same price. Returns the
 * results of one pass in which each finding about the former names the one about the latter, if both have a price.
 */
export function nameSharedCosts(results: readonly Result[]): Result[] {
  const wholes = results.flatMap(({ detector, found }) => (detector.type === whole ? found : []))
  return results.map(({ detector, found }) =>
    detector.type === part ? { detector, found: found.map((one) => nameWhole(one, wholes)) } : { detector, found },
  )
}

function nameWhole(draft: FindingDraft, wholes: readonly FindingDraft[]): FindingDraft {
  const price = priceOf(draft)
  const other = wholes.find((one) => one.toolName === draft.toolName)
  if (other === undefined || draft.decision === null) return draft
  if (typeof price.seen_usd !== 'number' || typeof priceOf(other).seen_usd !== 'number') return draft
  return {
    ...draft,
    detail: `${draft.detail} The finding “${other.title}” contains this cost: do not add the two.`,
    evidence: { ...draft.evidence, price: { ...price, contained_in: { type: whole, title: other.title } } },
  }
}
