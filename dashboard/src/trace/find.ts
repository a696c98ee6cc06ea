// Text search in a trace, and steps from one match or error to the next.
import type { LightSpan } from './light-span.ts'
import { mark, type Tree } from './tree.ts'

/** The text of all spans as one string, so that a search scans one string and does no work per span. `ends`: where each span ends. */
export type FindIndex = { readonly text: string; readonly ends: Int32Array }

const fieldsOf = (span: LightSpan): (string | null)[] => [
  span.name,
  span.tool_name,
  span.model,
  span.agent_name,
  span.kind,
  span.error_type,
  span.error_message,
  span.span_id,
]

// Search texts do not contain this character, so that no match spans two fields.
const separator = '\u0000'

export function makeFindIndex(spans: readonly LightSpan[]): FindIndex {
  const ends = new Int32Array(spans.length)
  const texts: string[] = []
  let length = 0
  for (const [node, span] of spans.entries()) {
    const text = `${fieldsOf(span)
      .filter((field) => field !== null)
      .join(separator)}${separator}`.toLowerCase()
    texts.push(text)
    length += text.length
    ends[node] = length
  }
  return { text: texts.join(''), ends }
}

/** Returns the ranks of the spans that contain the text, ignoring case, in ascending order; none for an empty text. */
export function findRanks(tree: Tree, { text, ends }: FindIndex, wanted: string): Int32Array {
  const needle = wanted.trim().toLowerCase()
  const found: number[] = []
  let at = needle === '' ? -1 : text.indexOf(needle)
  while (at !== -1) {
    const node = nodeAt(ends, at)
    found.push(tree.rank[node] as number)
    at = text.indexOf(needle, ends[node])
  }
  return Int32Array.from(found).sort()
}

function nodeAt(ends: Int32Array, at: number): number {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the ranks of the spans that failed, in ascending order. */
export const errorRanks = (tree: Tree): Int32Array =>
  Int32Array.from(tree.rank.keys()).filter(
    (rank) => ((tree.marks[tree.order[rank] as number] as number) & mark.error) !== 0,
  )

/** Returns the index of the next (or previous) entry of `ranks` from a rank, wrapping around at the end; -1 for an empty list. */
export function stepFrom(ranks: Int32Array, rank: number, isBack: boolean): number {
  if (ranks.length === 0) return -1
  if (!isBack) {
    const place = ranks.findIndex((each) => each > rank)
    return place === -1 ? 0 : place
  }
  const place = ranks.findLastIndex((each) => each < rank)
  return place === -1 ? ranks.length - 1 : place
}
