// Find in a trace, and steps from one match or error to the next.
import type { LightSpan } from './light-span.ts'
import { mark, type Tree } from './tree.ts'

/** The text of all spans as one string: a find is one search through it, with no work for each span. */
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

// Nobody types it, so that no match reaches over two fields.
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

/** The ranks of the spans that hold the text, whatever its case, rising; none for an empty text. */
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

/** The ranks of the spans that failed, rising. */
export const errorRanks = (tree: Tree): Int32Array =>
  Int32Array.from(tree.rank.keys()).filter(
    (rank) => ((tree.marks[tree.order[rank] as number] as number) & mark.error) !== 0,
  )

/** The place in the list of ranks after (or before) a rank, around the end; -1 in an empty list. */
export function stepFrom(ranks: Int32Array, rank: number, isBack: boolean): number {
  if (ranks.length === 0) return -1
  if (!isBack) {
    const place = ranks.findIndex((each) => each > rank)
    return place === -1 ? 0 : place
  }
  const place = ranks.findLastIndex((each) => each < rank)
  return place === -1 ? ranks.length - 1 : place
}
