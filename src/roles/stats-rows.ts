// The cache of a front for the rollup rows of its stats.
import { openRowMemory, type RowMemory } from '../rollups/row-memory.ts'
import type { AppContext } from './app-context.ts'

// A month of a workspace with 10 million events takes about 17 MB if its overview is viewed.
const maxBytes = 40 * 1_048_576

export function openStatsRows({ metrics }: Pick<AppContext, 'metrics'>): RowMemory {
  const rows = openRowMemory({
    maxBytes,
    onRead: (held, others) => {
      metrics.rollupRows.inc({ from: 'memory' }, held)
      metrics.rollupRows.inc({ from: 'database' }, others)
    },
  })
  metrics.watch('tracewright_rollup_rows_bytes', 'Memory of the cache of rollup rows for charts', () => rows.bytes())
  return rows
}
