// Brings the evidence of a subject up to date: counts the blocks that have passed since the last time.
//
// A block is counted twice: when it has been over for a quarter of an hour, as far as it is known then, and for good a day later, when no
// session can change it any more. So every execution is read about twice, whatever the traffic, and between two looks nothing is. What
// would prove a rule is counted once more before it does: sessions may have used since then what they had not used at first.
import type { Runner } from '../../store/database.ts'
import { readSessions, type SessionTrial } from './read-sessions.ts'
import { blockUs, groupSessions, readableUs, startOfBlock, type UnreadExecution } from './sessions.ts'
import { type BlockCount, type PlainUnread, UnreadEvidence, type UnreadSettings } from './unread-evidence.ts'

export type UnreadSubject = {
  readonly workspaceId: string
  readonly toolName: string
  /** Null: the tool declares none. */
  readonly toolVersion: string | null
  /** Null: every agent. */
  readonly agentId: string | null
}

export type UnreadOptions = {
  readonly settings: UnreadSettings
  /** From then on the rule has served: only held out executions count. Unix microseconds; null: it does not serve. */
  readonly heldOutSinceUs: number | null
  readonly nowUs: number
  /** Whether a proof would change anything. */
  readonly mayProve: boolean
  readonly bounds?: UnreadBounds
}

/** One statement reads `batch` executions; of a block with more of them the others are passed over. At most so many `batches` a time. */
export type UnreadBounds = { readonly batch: number; readonly batches: number }

export type AdvancedUnread = {
  readonly evidence: UnreadEvidence
  /** Of the blocks that were counted this time. */
  readonly trials: readonly SessionTrial[]
  /** False where there is more than one time counts. */
  readonly complete: boolean
  readonly nextXid: string
}

type EvidenceRow = {
  readonly xmin: string
  readonly next_xid: string | null
  readonly is_restored: boolean | null
  readonly state: PlainUnread | null
}
type StartRow = { readonly start_us: number | null }

const usualBounds: UnreadBounds = { batch: 5_000, batches: 10 }
const sessionsOfBlock = 50
// Spans are sent when they have ended, and a trace is settled when nothing more of it comes.
const judgedAfterUs = 900_000_000

/**
 * In a transaction of the caller, which keeps the result by `keepUnread`. Where all is to be counted anew while it was not counted to its
 * end before, that is done first: who sends calls late all the time would otherwise never have a verdict.
 */
export async function advanceUnread(
  db: Pick<Runner, 'rows' | 'row'>,
  subject: UnreadSubject,
  options: UnreadOptions,
): Promise<AdvancedUnread> {
  const opened = await openEvidence(db, subject, options)
  const budget = { left: (options.bounds ?? usualBounds).batches }
  const counted = await countUp(db, subject, options, opened, budget)
  if (opened.anew === null || !counted.complete) return counted
  const anew = await countUp(db, subject, options, opened.anew, budget)
  // What is left of the time does not suffice: the next look begins with it.
  return anew.complete ? anew : counted
}

/** Up to now, as far as the budget reaches. */
async function countUp(
  db: Pick<Runner, 'rows'>,
  subject: UnreadSubject,
  options: UnreadOptions,
  { evidence, nextXid }: Start,
  budget: { left: number },
): Promise<AdvancedUnread> {
  const { nowUs } = options
  // A session that is counted again is as it was counted last.
  const trials = new Map<string, SessionTrial>()
  const resultOf = (complete: boolean): AdvancedUnread => ({
    evidence,
    trials: [...trials.values()],
    complete,
    nextXid,
  })
  const early = { untilUs: endOfEarly(nowUs), isFinal: false }
  const passes = [{ untilUs: endOfFinal(nowUs), isFinal: true }, early]
  for (const { untilUs, isFinal } of passes) {
    for (;;) {
      const fromUs = isFinal ? evidence.countedUntilUs : evidence.judgedUntilUs
      if (fromUs >= untilUs) break
      if (budget.left === 0) return resultOf(false)
      budget.left -= 1
      const batch = await countBlocks(db, subject, options, fromUs, untilUs)
      for (const trial of batch.trials) trials.set(`${trial.blockStartUs} ${trial.session}`, trial)
      const blocks = toCounts(batch.trials)
      if (isFinal) evidence.count(blocks, batch.untilUs)
      else evidence.judge(blocks, batch.untilUs, nowUs)
    }
    const wouldProve = !isFinal && options.mayProve && evidence.describe().proven
    if (wouldProve && evidence.reconsider(nowUs - judgedAfterUs)) passes.push(early)
  }
  return resultOf(true)
}

/** No session can change the blocks before any more. */
const endOfFinal = (nowUs: number): number => startOfBlock(nowUs - readableUs) - blockUs
/** Of the blocks before, most sessions are known. */
const endOfEarly = (nowUs: number): number => startOfBlock(nowUs - judgedAfterUs)

/** The evidence as it was kept last; null where there is none. One statement. */
export async function readUnreadNow(db: Pick<Runner, 'row'>, subject: UnreadSubject): Promise<UnreadEvidence | null> {
  const row = await db.row<EvidenceRow>('decisions/read-unread-evidence', keyOf(subject))
  return row === null || row.state === null ? null : UnreadEvidence.read(row.state)
}

/** Keeps what `advanceUnread` gave, in the same transaction. */
export async function keepUnread(
  db: Pick<Runner, 'run'>,
  subject: UnreadSubject,
  { evidence, nextXid }: Pick<AdvancedUnread, 'evidence' | 'nextXid'>,
): Promise<void> {
  await db.run('decisions/keep-unread-evidence', [...keyOf(subject), nextXid, evidence.write()])
}

const keyOf = ({ workspaceId, toolName, toolVersion, agentId }: UnreadSubject): unknown[] => [
  workspaceId,
  toolName,
  toolVersion,
  agentId,
]

/** Evidence to go on with, and the transaction from which on to look the next time. */
type Start = { readonly evidence: UnreadEvidence; readonly nextXid: string }

/**
 * What was kept, back to where executions have come late since. Where one came later than a day, all is counted anew from the first
 * stored execution on: the start does not depend on what was read, so that the proof holds for a history that is sent at once.
 */
async function openEvidence(
  db: Pick<Runner, 'row'>,
  subject: UnreadSubject,
  { settings, nowUs }: UnreadOptions,
): Promise<Start & { readonly anew: Start | null }> {
  const row = await db.row<EvidenceRow>('decisions/read-unread-evidence', keyOf(subject))
  if (row === null) throw new Error('the statement that reads the evidence of a subject returned no row')
  const { xmin: nextXid, state } = row
  // Another floor or confidence asks for another test; after a restore into another cluster transactions count from the start again.
  const isSame =
    state !== null && state.floor === settings.floor && state.alpha === settings.alpha && row.is_restored !== true
  const kept = isSame ? UnreadEvidence.read(state) : null
  if (kept !== null) {
    const late = await db.row<StartRow>('decisions/find-late-unread', [...keyOf(subject), row.next_xid])
    const lateUs = late?.start_us ?? null
    if (lateUs === null || kept.goBackTo(lateUs)) return { evidence: kept, nextXid, anew: null }
  }
  const first = await db.row<StartRow>('decisions/find-first-unread', keyOf(subject))
  const firstUs = first?.start_us ?? nowUs - readableUs
  const isRestarted = state?.isRestarted === true
  const sinceUs = isRestarted ? Math.max(firstUs, state.sinceUs) : firstUs
  const anew = { evidence: new UnreadEvidence(settings, sinceUs, isRestarted), nextXid }
  const isBehind = kept !== null && (kept.countedUntilUs < endOfFinal(nowUs) || kept.judgedUntilUs < endOfEarly(nowUs))
  // With the transaction from which on it looked: what came late is found again.
  return isBehind && row.next_xid !== null ? { evidence: kept, nextXid: row.next_xid, anew } : { ...anew, anew: null }
}

type Batch = { readonly trials: readonly SessionTrial[]; readonly untilUs: number }

/** Whole blocks, as many as one statement reads. */
async function countBlocks(
  db: Pick<Runner, 'rows'>,
  subject: UnreadSubject,
  { heldOutSinceUs, nowUs, bounds }: UnreadOptions,
  fromUs: number,
  untilUs: number,
): Promise<Batch> {
  const { batch } = bounds ?? usualBounds
  const place = [fromUs, untilUs, heldOutSinceUs, batch]
  const rows = await db.rows<UnreadExecution>('decisions/list-unread-executions', [...keyOf(subject), ...place])
  const endUs = endOfWhole(rows, fromUs, rows.length < batch ? untilUs : null)
  const sessions = groupSessions(
    rows.filter((row) => row.start_us < endUs),
    sessionsOfBlock,
  )
  return { trials: await readSessions(db, subject.workspaceId, sessions, nowUs), untilUs: endUs }
}

/** Where the statement read all, up to `wholeUs`. Otherwise the last block may lack executions: it is left out, unless it is the only one. */
function endOfWhole(rows: readonly UnreadExecution[], fromUs: number, wholeUs: number | null): number {
  if (wholeUs !== null) return wholeUs
  const lastUs = startOfBlock(rows.at(-1)?.start_us ?? fromUs)
  return startOfBlock(rows[0]?.start_us ?? fromUs) < lastUs ? lastUs : lastUs + blockUs
}

/** The trials come in the order of blocks. */
function toCounts(trials: readonly SessionTrial[]): BlockCount[] {
  const counts: { startUs: number; sessions: number; read: number }[] = []
  for (const { blockStartUs, isRead } of trials) {
    let last = counts.at(-1)
    if (last?.startUs !== blockStartUs) {
      last = { startUs: blockStartUs, sessions: 0, read: 0 }
      counts.push(last)
    }
    last.sessions += 1
    last.read += isRead ? 1 : 0
  }
  return counts
}
