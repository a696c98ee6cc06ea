// Floor 3. The trials of a phase in their order, in as many looks as it takes, up to a bound.
import type { Runner } from '../../store/database.ts'
import { makeClustering, type Trial, windowOf } from '../gate/fold-trials.ts'
import type { MeasuredPhase } from './phase.ts'
import { type JudgedExecution, maxInLook, readExecutions } from './read-executions.ts'

export type JudgedTrial = Trial<JudgedExecution>

export type WalkBounds = { readonly inLook: number; readonly looks: number }

/** What one measurement reads at most: 100,000 executions. */
export const usualWalk: WalkBounds = { inLook: maxInLook, looks: 5 }

/**
 * Tells each trial of the phase that starts at `fromUs` or later, oldest first, until `tell` gives false. Begins at the start of the
 * freshness window of `fromUs`, and so counts as if it had begun with the phase. Gives whether it came to the end, or was stopped;
 * false where the bound was met before. One statement a look.
 */
export async function walkTrials(
  db: Pick<Runner, 'rows'>,
  phase: MeasuredPhase,
  fromUs: number,
  tell: (trial: JudgedTrial) => boolean,
  { inLook, looks }: WalkBounds = usualWalk,
): Promise<boolean> {
  const cluster = makeClustering<JudgedExecution>(phase)
  const beganUs = phase.beganUs + Math.max(0, windowOf(phase, fromUs)) * phase.freshnessS * 1_000_000
  let after: JudgedExecution | null = null
  for (let look = 0; look < looks; look += 1) {
    const { endedUs } = phase
    const executions: JudgedExecution[] = await readExecutions(db, phase.subject, { beganUs, endedUs, after }, inLook)
    for (const execution of executions) {
      const trial = cluster(execution)
      if (trial.startUs >= fromUs && !tell(trial)) return true
    }
    after = executions.at(-1) ?? null
    if (executions.length < inLook) return true
  }
  return false
}
