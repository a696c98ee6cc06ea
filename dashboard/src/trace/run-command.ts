// Runs keyboard commands on the state of a trace.
import { wholeAxis, zoomTo } from './axis.ts'
import { stepFrom } from './find.ts'
import { isParent, setFolded, setFoldedBelow } from './fold.ts'
import type { Command } from './keys.ts'
import type { TraceState } from './use-trace-state.ts'

/** Returns whether the command was run on the tree; false if it is one of the page. */
export function runCommand(state: TraceState, command: Command): boolean {
  const { model, rows, active, activeRow } = state
  if (active === -1) return false
  switch (command.does) {
    case 'move':
      goToRow(state, Math.max(0, Math.min(rows.length - 1, activeRow + command.by)))
      return true
    case 'move-to':
      goToRow(state, command.end === 'first' ? 0 : rows.length - 1)
      return true
    case 'fold':
      fold(state, command.isDeep)
      return true
    case 'unfold':
      unfold(state, command.isDeep)
      return true
    case 'match':
      step(state, state.matches, command.isBack)
      return true
    case 'error':
      step(state, state.errors, command.isBack)
      return true
    case 'zoom':
      state.setZoom(zoomTo(model.tree, model.axis, active))
      return true
    case 'fit':
      state.setZoom(wholeAxis)
      return true
    case 'view':
    case 'open':
    case 'close':
    case 'find':
      return false
  }
}

function goToRow({ rows, goTo }: TraceState, row: number): void {
  const node = rows[row]
  if (node !== undefined) goTo(node)
}

/** Folds the active node. If it is already folded, or has no children, moves to its parent. */
function fold(state: TraceState, isDeep: boolean): void {
  const { model, active, goTo } = state
  const { tree, folded } = model
  if (isDeep) state.setFolded(setFoldedBelow(tree, folded, active, true))
  else if (isParent(tree, active) && folded[active] === 0) state.setFolded(setFolded(folded, active, true))
  else if (tree.parent[active] !== -1) goTo(tree.parent[active] as number)
}

/** Unfolds the active node. If it is already unfolded, moves to its first child. */
function unfold(state: TraceState, isDeep: boolean): void {
  const { model, active, goTo } = state
  const { tree, folded } = model
  if (!isParent(tree, active)) return
  if (isDeep) state.setFolded(setFoldedBelow(tree, folded, active, false))
  else if (folded[active] === 1) state.setFolded(setFolded(folded, active, false))
  else goTo(tree.firstChild[active] as number)
}

function step({ model: { tree }, active, goTo }: TraceState, ranks: Int32Array, isBack: boolean): void {
  const place = stepFrom(ranks, tree.rank[active] as number, isBack)
  if (place !== -1) goTo(tree.order[ranks[place] as number] as number)
}
