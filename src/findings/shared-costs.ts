// Names the finding that contains the cost of another one, so that nobody adds the two.
import type { Runner } from '../store/database.ts'
import type { FindingDraft } from './detector.ts'
import type { DetectorResult } from './write-findings.ts'

const [part, whole] = ['repeated_tool_call', 'unattested_repeat'] as const

type Whole = { readonly tool_name: string | null; readonly title: string }
type Price = { readonly [name: string]: unknown; readonly seen_usd?: unknown }

const priceOf = ({ evidence }: FindingDraft): Price => (evidence['price'] ?? {}) as Price

const isPriced = (draft: FindingDraft): boolean => typeof priceOf(draft).seen_usd === 'number'

/**
 * The repeated calls that an agent makes of a tool are among those that attesting the tool would save, at the same price. Returns the
 * results of one pass in which each finding about the former names the one about the latter, if both have a price. If the latter were not
 * looked for in this pass, the stored ones count.
 */
export async function nameSharedCosts(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
  results: readonly DetectorResult[],
): Promise<readonly DetectorResult[]> {
  if (!results.some(({ detector, found }) => detector.type === part && found.length > 0)) return results
  const looked = results.find(({ detector }) => detector.type === whole)
  const wholes: readonly Whole[] =
    looked?.found.filter(isPriced).map(({ toolName, title }) => ({ tool_name: toolName, title })) ??
    (await db.rows<Whole>('findings/list-wholes', [workspaceId, whole]))
  return results.map(({ detector, found }) => ({
    detector,
    found: detector.type === part ? found.map((draft) => nameWhole(draft, wholes)) : found,
  }))
}

function nameWhole(draft: FindingDraft, wholes: readonly Whole[]): FindingDraft {
  const other = wholes.find((one) => one.tool_name === draft.toolName)
  if (other === undefined || draft.decision === null || !isPriced(draft)) return draft
  return {
    ...draft,
    detail: `${draft.detail} The finding “${other.title}” contains this cost: do not add the two.`,
    evidence: {
      ...draft.evidence,
      price: { ...priceOf(draft), contained_in: { type: whole, title: other.title } },
    },
  }
}
