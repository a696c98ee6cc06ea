// Finds the tools of agents that return the same result again, by their executions of the last days.
import type { Runner } from '../../store/database.ts'
import {
  type Candidate,
  describeCandidate,
  type ProposalScan,
  type ProposedSubject,
  type Rival,
  type RuleRates,
  type SeenSubject,
  type TouchedSubject,
  type WorkspaceLookBack,
  type Worth,
  weighAgain,
} from './candidate.ts'

type Seen = ProposedSubject & SeenSubject & { readonly executions: number; readonly inputs: number }

const minReusable = 3

// Limits of what a pass reads, so that none takes long regardless of what a workspace sends.
const maxTouchedRuns = 100_000
const maxSubjects = 200
const subjectsAtOnce = 20
const runsOfSubject = 5_000

/**
 * Returns candidates without a live reuse_identity decision, and without one that was disabled since `disabledSince` other than by
 * eviction. `rival` is a live decision on another version of the tool that ran less than half as often and whose rule served nothing.
 * Unordered.
 */
export async function weighSubjects(
  db: Pick<Runner, 'rows'>,
  scan: ProposalScan,
  toolNames: readonly string[],
  disabledSince: Date,
): Promise<Candidate[]> {
  const subjects = await db.rows<TouchedSubject>('decisions/list-touched-subjects', [
    scan.workspaceId,
    toolNames,
    new Date(scan.sinceMs),
    new Date(scan.toMs),
    Math.ceil(maxTouchedRuns / toolNames.length),
    'reuse_identity',
    disabledSince,
    maxSubjects,
  ])
  const candidates: Candidate[] = []
  for (let at = 0; at < subjects.length; at += subjectsAtOnce) {
    // The first ones are weighed even if the time is up: a pass that weighs none would leave them until they run again.
    if (at > 0 && performance.now() > scan.untilMs) break
    const some = subjects.slice(at, at + subjectsAtOnce)
    for (const subject of await readSubjects(db, scan, some, scan.defaults.freshness_s, minReusable)) {
      const rival = some.find((one) => isSame(one, subject))?.rival ?? null
      const candidate = describe(scan, subject, rival)
      if (candidate !== null) candidates.push(candidate)
    }
  }
  return candidates
}

const readSubjects = async (
  db: Pick<Runner, 'rows'>,
  { workspaceId, fromMs, toMs }: WorkspaceLookBack,
  subjects: readonly ProposedSubject[],
  freshnessS: number,
  least: number,
): Promise<Seen[]> =>
  await db.rows<Seen>('decisions/weigh-subjects', [
    workspaceId,
    subjects.map((subject) => subject.tool_name),
    subjects.map((subject) => subject.tool_version),
    subjects.map((subject) => subject.agent_id),
    new Date(fromMs),
    new Date(toMs),
    runsOfSubject,
    freshnessS,
    least,
  ])

/** Weighs the subject of a reuse_identity rule again. Returns null if nothing of it ran in the look-back. */
export async function reweighSubject(
  db: Pick<Runner, 'rows'>,
  lookBack: WorkspaceLookBack,
  subject: ProposedSubject,
  rates: RuleRates,
): Promise<Worth | null> {
  const [seen] = await readSubjects(db, lookBack, [subject], rates.freshness_s, 0)
  if (seen === undefined || seen.executions === 0) return null
  return weighAgain(seen, lookBack, rates, countsOf(seen))
}

const countsOf = ({ executions, inputs, reusable }: Seen) => ({ executions, inputs, reusable })

const isSame = (a: ProposedSubject, b: ProposedSubject): boolean =>
  a.tool_name === b.tool_name && a.tool_version === b.tool_version && a.agent_id === b.agent_id

function describe(scan: ProposalScan, seen: Seen, rival: Rival | null): Candidate | null {
  const { executions, inputs, reusable } = seen
  const reason = `${reusable} of ${executions} calls returned the last result for their input again (${inputs === 1 ? '1 distinct input' : `${inputs} distinct inputs`})`
  return describeCandidate(scan, seen, seen, { type: 'reuse_identity', reason, rival, counts: countsOf(seen) })
}
