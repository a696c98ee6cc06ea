// The watch over an active suppress_dead rule: checks whether models use the results in the sessions that the rule holds out.
import type { Runner } from '../../store/database.ts'
import { type BreachReason, Watch } from '../gate/watch.ts'
import { fingerprintOf } from '../policy/fingerprint.ts'
import { readSessions } from './read-sessions.ts'
import { groupSessions, type UnreadExecution } from './sessions.ts'

export type HeldOut = {
  /**
   * Number of sessions; one that continues counts once in each block. A session whose outcome is not known yet counts as one that used no
   * result: a use is known before its absence, so that the known sessions alone would show too many.
   */
  readonly trials: number
  /** Number of sessions in which a model used a result. */
  readonly wrong: number
  /** Null: the rule holds. */
  readonly breach: BreachReason | null
}

export const noneHeldOut: HeldOut = { trials: 0, wrong: 0, breach: null }

// The watch forgets a clean past, so older executions change nothing.
const maxExecutions = 2_000

/** Runs the watch over the newest executions that the decision held out since `sinceUs` (Unix microseconds). Two statements. */
export async function watchHeldOut(
  db: Pick<Runner, 'rows'>,
  { workspaceId, decisionId }: { readonly workspaceId: string; readonly decisionId: string },
  { floor, sinceUs, nowUs }: { readonly floor: number; readonly sinceUs: number; readonly nowUs: number },
): Promise<HeldOut> {
  const newest = await db.rows<UnreadExecution>('decisions/list-held-out', [
    workspaceId,
    decisionId,
    sinceUs,
    maxExecutions,
  ])
  const sessions = groupSessions(newest.reverse(), maxExecutions)
  const judged = await readSessions(db, workspaceId, sessions, nowUs)
  const watch = new Watch(floor)
  let breach: BreachReason | null = null
  for (const { isRead, session } of judged) breach = watch.add(isRead === true, fingerprintOf(session)) ?? breach
  return { trials: judged.length, wrong: judged.filter(({ isRead }) => isRead === true).length, breach }
}
