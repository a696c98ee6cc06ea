// The grouping and filters of stats.
import { hash } from 'node:crypto'
import type { CellKey } from '../../sketches/cell.ts'
import { isModelCall } from '../../sketches/counters.ts'

export type Grouping = 'none' | 'agent' | 'model' | 'tool' | 'kind'

/** The key of all groups that are not shown separately. */
export const rest = 'other'

/** Filters that are undefined do not apply. */
export type StatsScope = {
  readonly groupBy: Grouping
  readonly agentId: string | undefined
  readonly kind?: string | undefined
  readonly model?: string | undefined
}

/** Returns the key that a cell counts under; null if it is out of scope. By model only model calls count, by tool only tool calls. */
export function seriesKeyOf(scope: StatsScope, cell: CellKey): string | null {
  if (scope.agentId !== undefined && cell.agentId !== scope.agentId) return null
  if (scope.kind !== undefined && cell.kind !== scope.kind) return null
  if (scope.model !== undefined && cell.model !== scope.model) return null
  switch (scope.groupBy) {
    case 'agent':
      return cell.agentId
    case 'model':
      return isModelCall(cell) ? (cell.model ?? 'unknown') : null
    case 'tool':
      return cell.kind === 'tool' ? (cell.tool ?? 'unknown') : null
    case 'kind':
      return cell.kind
    case 'none':
      return 'all'
  }
}

/** Returns a name of the scope and of what goes with it. Others have another name. */
export const nameOfScope = ({ groupBy, agentId, kind, model }: StatsScope, ...more: readonly unknown[]): string =>
  hash('sha256', JSON.stringify([groupBy, agentId ?? null, kind ?? null, model ?? null, ...more]), 'base64')
