// The critical path: the spans without which the trace would have ended earlier.
import { clockMs, type Tree } from './tree.ts'

/**
 * Returns 1 for each node on the path. From the end of a span backwards, the child that ended last is on the path, then the child that
 * ended last before that one started, and so on; the same applies below each of these children.
 */
export function findCriticalPath(tree: Tree): Uint8Array {
  const onPath = new Uint8Array(tree.size)
  const byEnd = childrenByEnd(tree)
  const waiting: [node: number, untilMs: number][] = []
  const last = latestRoot(tree)
  if (last !== -1) waiting.push([last, tree.endMs[last] as number])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, untilMs] = next
    onPath[node] = 1
    let cursorMs = untilMs
    for (const child of byEnd(node)) {
      const endMs = tree.endMs[child] as number
      if (endMs > cursorMs + clockMs) continue
      waiting.push([child, endMs])
      cursorMs = Math.max(tree.startMs[node] as number, tree.startMs[child] as number)
    }
  }
  return onPath
}

const childrenByEnd =
  (tree: Tree) =>
  (node: number): number[] => {
    const children: number[] = []
    for (let child = tree.firstChild[node] as number; child !== -1; child = tree.next[child] as number)
      children.push(child)
    return children.sort((a, b) => (tree.endMs[b] as number) - (tree.endMs[a] as number))
  }

function latestRoot(tree: Tree): number {
  let latest = -1
  for (const node of tree.order)
    if (tree.parent[node] === -1 && (latest === -1 || (tree.endMs[node] as number) > (tree.endMs[latest] as number)))
      latest = node
  return latest
}
