// Floor 3. The newest trials of a decision are kept, so that a user sees what was compared.
import type { Runner } from '../../store/database.ts'
import type { Trial } from '../gate/replay.ts'
import type { MeasuredRow } from './phase.ts'

/** Of either kind, right and wrong. */
const maxKept = 1_000

/** Ids in hex, times in Unix microseconds. Null where the rule needs no stored result. */
export type KeptTrial = {
  readonly startUs: number
  readonly traceId: string
  readonly spanId: string
  readonly inputHash: string | null
  readonly candidateStartUs: number | null
  readonly ageS: number | null
  readonly matched: boolean
}

/** Those of the rung that is shown. */
export const listTrialsOf = (trials: readonly Trial[], rungS: number): KeptTrial[] =>
  trials
    .filter((trial) => trial.rungS === rungS)
    .map(({ execution: { startUs, traceId, spanId, inputHash }, candidateStartUs, candidateEndUs, matched }) => {
      const ageS = (startUs - candidateEndUs) / 1_000_000
      return { startUs, traceId, spanId, inputHash, candidateStartUs, ageS, matched }
    })

/** Two statements, none where there is nothing new. */
export async function keepTrials(
  db: Pick<Runner, 'run'>,
  row: MeasuredRow,
  trials: readonly KeptTrial[],
): Promise<void> {
  if (trials.length === 0) return
  const ids = [row.workspace_id, row.id]
  await db.run('decisions/add-trials', [
    ...ids,
    trials.map((trial) => trial.startUs),
    trials.map((trial) => trial.traceId),
    trials.map((trial) => trial.spanId),
    trials.map((trial) => trial.inputHash),
    trials.map((trial) => trial.candidateStartUs),
    trials.map((trial) => trial.ageS),
    trials.map((trial) => trial.matched),
    row.state,
  ])
  await db.run('decisions/thin-trials', [...ids, maxKept])
}
