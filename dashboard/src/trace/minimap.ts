// The picture of a whole trace in a few rows of pixels, one byte per pixel.
import { type Axis, placeOf } from './axis.ts'
import { mark, type Tree } from './tree.ts'

export const ink = { none: 0, span: 1, error: 2, match: 3 } as const

/**
 * Each span is at least one pixel wide. Its row in the tree gives its height in the picture, and its time gives its width. Errors and
 * matches are drawn over other spans. Takes time linear in the number of spans.
 */
export function drawMinimap(
  tree: Tree,
  axis: Axis,
  matches: Int32Array,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array {
  const pixels = new Uint8Array(width * height)
  const rows = Math.max(tree.size, height)
  const drawRank = (rank: number, colour: number): void => {
    const node = tree.order[rank] as number
    const y = Math.floor((rank / rows) * height) * width
    const from = Math.min(width - 1, Math.floor(placeOf(axis, tree.startMs[node] as number) * width))
    const to = Math.min(width, Math.ceil(placeOf(axis, tree.endMs[node] as number) * width))
    pixels.fill(colour, y + from, y + Math.max(from + 1, to))
  }
  for (let rank = 0; rank < tree.size; rank += 1) drawRank(rank, ink.span)
  // Errors are drawn in a second pass, so that no later span hides them.
  for (let rank = 0; rank < tree.size; rank += 1)
    if (((tree.marks[tree.order[rank] as number] as number) & mark.error) !== 0 && isLeafError(tree, rank))
      drawRank(rank, ink.error)
  for (const rank of matches) drawRank(rank, ink.match)
  return pixels
}

/** Whether a failed span is the innermost one of its failure. Its parents often carry the same error, and would make all red. */
function isLeafError(tree: Tree, rank: number): boolean {
  const node = tree.order[rank] as number
  for (let child = tree.firstChild[node] as number; child !== -1; child = tree.next[child] as number)
    if (((tree.marks[child] as number) & mark.error) !== 0) return false
  return true
}
