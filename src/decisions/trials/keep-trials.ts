// Stores the newest trials of a decision, so that a user can see what was compared.
import type { Runner } from '../../store/database.ts'
import type { Trial } from '../gate/replay.ts'
import type { SessionTrial } from '../unread/read-sessions.ts'
import { type MeasuredRow, maxKeptTrials } from './phase.ts'

/** Stores the trials of the shown rung. Two statements, none if there is nothing new. */
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
  await db.run('decisions/thin-trials', [...ids, maxKeptTrials])
}

/**
 * Stores the newest sessions whose outcome is known. A session that is counted again replaces its earlier entry. Two statements, none
 * without sessions.
 */
export async function keepSessionTrials(
  db: Pick<Runner, 'run'>,
  row: MeasuredRow,
  known: readonly SessionTrial[],
): Promise<void> {
  if (known.length === 0) return
  const newest = (isRead: boolean) => known.filter((trial) => trial.isRead === isRead).slice(-maxKeptTrials)
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
  await db.run('decisions/thin-trials', [...ids, maxKeptTrials])
}
