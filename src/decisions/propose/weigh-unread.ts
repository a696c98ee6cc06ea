// Finds the tools of agents whose results no model uses, by their executions of the last days.
import type { Runner } from '../../store/database.ts'
import {
  type Candidate,
  describeCandidate,
  type ProposalScan,
  type ProposedSubject,
  type RuleRates,
  type SeenSubject,
  type TouchedSubject,
  type WorkspaceLookBack,
  type Worth,
  weighAgain,
} from './candidate.ts'

type Seen = Omit<SeenSubject, 'first_at'> & {
  readonly first_at: Date | null
  readonly executions: number
  readonly consumed: number
  readonly read: number
}

const minConsumed = 20

// Limits of what a pass reads, so that none takes long regardless of what a workspace sends.
const runsOfTouched = 10_000
const maxSubjects = 200
const runsOfSubject = 1_000
// The results of most tools are used: a few executions are enough to show it.
const runsAtFirst = 100

/**
 * Returns candidates that attest `unread`, without a live suppress_dead decision, and without one that was disabled since `disabledSince`
 * other than by eviction. `rival` is a live decision on another version of the tool that ran less than half as often and whose rule served
 * nothing. Unordered.
 */
export async function weighUnread(
  db: Pick<Runner, 'rows' | 'row'>,
  scan: ProposalScan,
  disabledSince: Date,
): Promise<Candidate[]> {
  const subjects = await db.rows<TouchedSubject>('decisions/list-unread-subjects', [
    scan.workspaceId,
    new Date(scan.sinceMs),
    new Date(scan.toMs),
    runsOfTouched,
    'suppress_dead',
    disabledSince,
    maxSubjects,
  ])
  const candidates: Candidate[] = []
  for (const [at, subject] of inTurn(subjects, scan.toMs).entries()) {
    // One is weighed even if the time is up, as it may be whenever the database is slow.
    if (at > 0 && performance.now() > scan.untilMs) break
    const candidate = await weigh(db, scan, subject)
    if (candidate !== null) candidates.push(candidate)
  }
  return candidates
}

/** Starts at another item every second, so that the deadline does not always cut off the same ones. */
function inTurn<T>(all: readonly T[], nowMs: number): T[] {
  const first = Math.floor(nowMs / 1_000) % Math.max(1, all.length)
  return [...all.slice(first), ...all.slice(0, first)]
}

const readSubject = async (
  db: Pick<Runner, 'row'>,
  { workspaceId, fromMs, toMs }: WorkspaceLookBack,
  { tool_name, tool_version, agent_id }: ProposedSubject,
  freshnessS: number,
  runs: number,
): Promise<Seen | null> => {
  const window = [new Date(fromMs), new Date(toMs)]
  const subject = [tool_name, tool_version, agent_id]
  return await db.row<Seen>('decisions/weigh-unread', [workspaceId, ...subject, ...window, runs, freshnessS])
}

/** Weighs the subject of a suppress_dead rule again. Returns null if nothing of it ran in the look-back. */
export async function reweighUnread(
  db: Pick<Runner, 'row'>,
  lookBack: WorkspaceLookBack,
  subject: ProposedSubject,
  rates: RuleRates,
): Promise<Worth | null> {
  const seen = await readSubject(db, lookBack, subject, rates.freshness_s, runsOfSubject)
  if (seen === null || seen.first_at === null) return null
  return weighAgain({ ...seen, first_at: seen.first_at }, lookBack, rates, countsOf(seen))
}

const countsOf = ({ executions, consumed, read, reusable }: Seen) => ({ executions, consumed, read, reusable })

async function weigh(db: Pick<Runner, 'row'>, scan: ProposalScan, subject: TouchedSubject): Promise<Candidate | null> {
  const ask = async (runs: number): Promise<Seen | null> =>
    await readSubject(db, scan, subject, scan.defaults.freshness_s, runs)
  const glance = await ask(runsAtFirst)
  if (glance === null || glance.consumed === 0 || glance.read > 0) return null
  const seen = glance.cut ? await ask(runsOfSubject) : glance
  if (seen === null || seen.consumed < minConsumed || seen.read > 0) return null
  return describe(scan, subject, seen)
}

function describe(scan: ProposalScan, subject: TouchedSubject, seen: Seen): Candidate | null {
  const { consumed, first_at } = seen
  if (first_at === null) return null
  const reason = `${consumed} results of the tool were in prompts, and no model used any of them`
  const described = { type: 'suppress_dead', reason, rival: subject.rival, counts: countsOf(seen) } as const
  return describeCandidate(scan, subject, { ...seen, first_at }, described)
}
