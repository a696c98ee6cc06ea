// Descriptions of a row in words: on hover, for screen readers, and wherever colour alone would show a fact.
import { mark, type Tree } from './tree.ts'

export type CallMark = 'real' | 'served' | 'holdout' | 'error'

/** Returns how a tool call was answered; null if the span is not a tool call. */
export function callMarkOf(span: {
  readonly kind: string
  readonly status: string
  readonly served: boolean
  readonly holdout: boolean
}): CallMark | null {
  if (span.kind !== 'tool') return null
  if (span.status === 'error') return 'error'
  if (span.served) return 'served'
  return span.holdout ? 'holdout' : 'real'
}

export const callMarkMeaning: Readonly<Record<CallMark, string>> = {
  real: 'The tool ran.',
  served: 'A rule served a stored result; the tool did not run.',
  holdout: 'A rule matched, but the tool ran for real to measure the rule.',
  error: 'The call failed.',
}

export const nameOf = (tree: Tree, node: number): string =>
  tree.spans[node]?.name ?? `Parent ${tree.missingIds[node - tree.spans.length] ?? ''} not received`

/** Returns sentences about what is unusual about a node; empty if nothing is. */
export function describeMarks(tree: Tree, node: number): string[] {
  const marks = tree.marks[node] as number
  const said: string[] = []
  if ((marks & mark.open) !== 0) said.push('End unknown')
  if ((marks & mark.early) !== 0) {
    const above = tree.parent[node] as number
    const ms = (tree.startMs[above] as number) - (tree.startMs[node] as number)
    said.push(`Starts ${ms} ms before its parent: the clocks differ`)
  }
  if ((marks & mark.cycleCut) !== 0) said.push('Its parents form a cycle, which is cut here')
  if ((marks & mark.missing) !== 0) said.push('The spans below name a parent that was not received')
  return said
}
