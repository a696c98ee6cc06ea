// The entries of a transcript: calls of models and tools in reading order, indented below the agent that made them.
import { mark, type Tree } from './tree.ts'

export type Transcript = {
  readonly nodes: Int32Array
  /** The number of agents above each entry. */
  readonly levels: Int32Array
}

const shownKinds = new Set(['agent', 'llm', 'tool', 'retriever', 'reranker', 'guardrail', 'evaluator', 'memory'])

/** Lists the entries. Spans of other kinds have no content and are left out, unless they failed and none of their children did. */
export function listTranscript(tree: Tree, folded: Uint8Array): Transcript {
  const nodes: number[] = []
  const levels: number[] = []
  const agentsAbove = new Int32Array(tree.size)
  for (let place = 0; place < tree.size; ) {
    const node = tree.order[place] as number
    const above = tree.parent[node] as number
    const level = above === -1 ? 0 : (agentsAbove[above] as number) + Number(isAgent(tree, above))
    agentsAbove[node] = level
    if (isShown(tree, node)) {
      nodes.push(node)
      levels.push(level)
    }
    const isHidden = isAgent(tree, node) && folded[node] === 1
    place += isHidden ? (tree.reach[node] as number) : 1
  }
  return { nodes: Int32Array.from(nodes), levels: Int32Array.from(levels) }
}

const isAgent = (tree: Tree, node: number): boolean => tree.spans[node]?.kind === 'agent'

function isShown(tree: Tree, node: number): boolean {
  const kind = tree.spans[node]?.kind
  return (kind !== undefined && shownKinds.has(kind)) || hasOwnError(tree, node)
}

function hasOwnError(tree: Tree, node: number): boolean {
  if (((tree.marks[node] as number) & mark.error) === 0) return false
  for (let child = tree.firstChild[node] as number; child !== -1; child = tree.next[child] as number)
    if (((tree.marks[child] as number) & mark.error) !== 0) return false
  return true
}

/** Returns for each model call the previous one of the same agent; -1 if none. Spans are in the order of their start. */
export function linkPreviousCalls(tree: Tree): Int32Array {
  const previous = new Int32Array(tree.size).fill(-1)
  const lastOf = new Map<string, number>()
  for (const [node, { kind, agent_name: agent }] of tree.spans.entries()) {
    if (kind !== 'llm') continue
    previous[node] = lastOf.get(agent) ?? -1
    lastOf.set(agent, node)
  }
  return previous
}
