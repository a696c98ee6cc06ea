// Wires the loop that settles quiet traces, with its metrics and log.
import { openSettling } from '../ingest/settle/open-settling.ts'
import { makeLoopSuccess } from '../telemetry/loop-success.ts'
import type { AppContext } from './app-context.ts'

export function openTraceSettling({ config, databases, log, metrics }: AppContext) {
  const recordSuccess = makeLoopSuccess(metrics, 'settling')
  return openSettling({
    db: databases.ingest,
    quietMs: config.SETTLE_QUIET_MS,
    onSettled: ({ traces, lagMs }) => {
      metrics.settledTraces.inc({ result: 'settled' }, traces)
      metrics.settleLagSeconds.set(lagMs / 1_000)
      recordSuccess()
    },
    onError: (error) => {
      metrics.settledTraces.inc({ result: 'failed' })
      metrics.backgroundFailures.inc({ doing: 'settling' })
      log.warn({ error }, 'could not settle traces; will retry')
    },
  })
}
