// The visible rows of a tree: a list of node numbers, which is rebuilt on each fold.
import type { Tree } from './tree.ts'

/** 1: the nodes below this node are hidden. Never changed in place. */
export type Folded = Uint8Array

export const unfoldAll = (tree: Tree): Folded => new Uint8Array(tree.size)

export function foldAll(tree: Tree): Folded {
  const folded = new Uint8Array(tree.size)
  for (const [node, child] of tree.firstChild.entries()) if (child !== -1) folded[node] = 1
  return folded
}

export const isParent = (tree: Tree, node: number): boolean => tree.firstChild[node] !== -1

/** Folds or unfolds one node. */
export function setFolded(folded: Folded, node: number, isFolded: boolean): Folded {
  const changed = folded.slice()
  changed[node] = isFolded ? 1 : 0
  return changed
}

/** Folds or unfolds a node and every parent below it. */
export function setFoldedBelow(tree: Tree, folded: Folded, node: number, isFolded: boolean): Folded {
  const changed = folded.slice()
  const from = tree.rank[node] as number
  for (let place = from; place < from + (tree.reach[node] as number); place += 1) {
    const each = tree.order[place] as number
    if (isParent(tree, each)) changed[each] = isFolded ? 1 : 0
  }
  return changed
}

/** Folds a node that is unfolded, or unfolds it. `isDeep`: also every parent below it. */
export function toggleFolded(tree: Tree, folded: Folded, node: number, isDeep: boolean): Folded {
  const isFolded = folded[node] !== 1
  return isDeep ? setFoldedBelow(tree, folded, node, isFolded) : setFolded(folded, node, isFolded)
}

/** Unfolds the parents that hide a node. Returns `folded` itself if none does. */
export function reveal(tree: Tree, folded: Folded, node: number): Folded {
  let changed = folded
  for (let above = tree.parent[node] as number; above !== -1; above = tree.parent[above] as number)
    if (changed[above] === 1) changed = setFolded(changed, above, false)
  return changed
}

/** Returns the visible nodes from top to bottom. */
export function flatten(tree: Tree, folded: Folded): Int32Array {
  const rows = new Int32Array(tree.size)
  let count = 0
  for (let place = 0; place < tree.size; ) {
    const node = tree.order[place] as number
    rows[count] = node
    count += 1
    place += folded[node] === 1 ? (tree.reach[node] as number) : 1
  }
  return rows.subarray(0, count)
}

/** Returns the row of a node, or the nearest visible row above it if it is hidden; -1 for an empty list. */
export function rowOf(tree: Tree, rows: Int32Array, node: number): number {
  const rank = tree.rank[node] as number
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tree.rank[rows[middle] as number] as number) <= rank) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns the same folds for a tree that was read again or has grown, in which the nodes have other numbers. */
export function carryFolded(before: Tree, folded: Folded, after: Tree): Folded {
  const ids = new Set<string>()
  for (const [node, isFolded] of folded.entries()) if (isFolded === 1) ids.add(idOf(before, node))
  const carried = unfoldAll(after)
  if (ids.size > 0) for (const node of carried.keys()) if (ids.has(idOf(after, node))) carried[node] = 1
  return carried
}

const idOf = (tree: Tree, node: number): string =>
  tree.spans[node]?.id ?? tree.missingIds[node - tree.spans.length] ?? ''
