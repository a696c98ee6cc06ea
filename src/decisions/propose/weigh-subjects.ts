// Finds the tools of agents that return the same result again, by their executions of the last days.
import type { Runner } from '../../store/database.ts'
import {
  type Candidate,
  describeCandidate,
  type ProposalScan,
  type ProposedSubject,
  type Rival,
  type SeenSubject,
  type TouchedSubject,
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
  for (let at = 0; at < subjects.length && performance.now() <= scan.untilMs; at += subjectsAtOnce) {
    const some = subjects.slice(at, at + subjectsAtOnce)
    const seen = await db.rows<Seen>('decisions/weigh-subjects', [
      scan.workspaceId,
      some.map((subject) => subject.tool_name),
      some.map((subject) => subject.tool_version),
      some.map((subject) => subject.agent_id),
      new Date(scan.fromMs),
      new Date(scan.toMs),
      runsOfSubject,
      scan.defaults.freshness_s,
      minReusable,
    ])
    for (const subject of seen) {
      const rival = some.find((one) => isSame(one, subject))?.rival ?? null
      const candidate = describe(scan, subject, rival)
      if (candidate !== null) candidates.push(candidate)
    }
  }
  return candidates
}

const isSame = (a: ProposedSubject, b: ProposedSubject): boolean =>
  a.tool_name === b.tool_name && a.tool_version === b.tool_version && a.agent_id === b.agent_id

function describe(scan: ProposalScan, seen: Seen, rival: Rival | null): Candidate | null {
  const { executions, inputs, reusable } = seen
  const reason = `the tool repeated its last result for the same input in ${reusable} of ${executions} calls`
  const counts = { executions, inputs, reusable }
  return describeCandidate(scan, seen, seen, { type: 'reuse_identity', reason, rival, counts })
}
