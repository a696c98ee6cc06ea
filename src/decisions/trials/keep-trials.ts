// The newest trials of a decision are kept, so that a user sees what was compared.
import type { Runner } from '../../store/database.ts'
import type { Trial } from '../gate/replay.ts'
import type { SessionTrial } from '../unread/read-sessions.ts'
import type { MeasuredRow } from './phase.ts'

/** Of either kind, right and wrong. */
const maxKept = 1_000

/** Those of the rung that is shown. Two statements, none where there is nothing new. */
export async function keepTrials(db: Pick<Runner, 'run'>, row: MeasuredRow, shown: readonly Trial[]): Promise<void> {
  if (shown.length === 0) return
  const ids = [row.workspace_id, row.id]
  await db.run('decisions/add-trials', [
    ...ids,
    shown.map(({ execution }) => execution.startUs),
    shown.map(({ execution }) => execution.traceId),
    shown.map(({ execution }) => execution.spanId),
    shown.map(({ execution }) => execution.inputHash),
    shown.map((trial) => trial.candidateStartUs),
    shown.map(({ execution, candidateEndUs }) => (execution.startUs - candidateEndUs) / 1_000_000),
    shown.map((trial) => trial.matched),
    row.state,
  ])
  await db.run('decisions/thin-trials', [...ids, maxKept])
}

/** The newest sessions whose reading is known; one that is counted again replaces what was known of it before. Two statements, none without any. */
export async function keepSessionTrials(
  db: Pick<Runner, 'run'>,
  row: MeasuredRow,
  known: readonly SessionTrial[],
): Promise<void> {
  if (known.length === 0) return
  const newest = (isRead: boolean) => known.filter((trial) => trial.isRead === isRead).slice(-maxKept)
  const trials = [...newest(false), ...newest(true)]
  const ids = [row.workspace_id, row.id]
  await db.run('decisions/add-session-trials', [
    ...ids,
    trials.map((trial) => trial.startUs),
    trials.map((trial) => trial.traceId),
    trials.map((trial) => trial.spanId),
    trials.map((trial) => !trial.isRead),
    row.state,
  ])
  await db.run('decisions/thin-trials', [...ids, maxKept])
}
