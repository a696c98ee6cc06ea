// Brings the evidence of a subject up to date: counts the blocks that have passed since the last time.
//
// A block is counted twice: provisionally when it has been over for a quarter of an hour, and finally a day later, when no session can
// change it any more. So every execution is read about twice, regardless of the traffic, and a pass in which no block has become due reads
// none. Before provisional blocks prove a rule, they are counted once more: since then, sessions may have used results that they had not
// used at first.
import type { Runner } from '../../store/database.ts'
import { isTrial, type JudgedSession, readSessions, type SessionTrial } from './read-sessions.ts'
import {
  blockUs,
  groupSessions,
  readableUs,
  type SessionBlock,
  sessionOf,
  startOfBlock,
  type UnreadExecution,
} from './sessions.ts'
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
  /** Time since which the rule has served, Unix microseconds: from then on only held-out executions count. Null: it does not serve. */
  readonly heldOutSinceUs: number | null
  readonly nowUs: number
  /** Ingest accepts no execution that started earlier, in Unix microseconds. Null: it accepts any. */
  readonly acceptedSinceUs: number | null
  /** True if a proof would change anything. */
  readonly mayProve: boolean
  readonly bounds?: UnreadBounds
}

/**
 * One statement reads `batch` executions; if a block has more, only sessions that are among these count, and another statement reads their
 * other executions. One call does so at most `batches` times.
 */
export type UnreadBounds = { readonly batch: number; readonly batches: number }

export type AdvancedUnread = {
  readonly evidence: UnreadEvidence
  /** Trials of the blocks that this call counted. */
  readonly trials: readonly SessionTrial[]
  /** False if there is more to count than one call counts. */
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
// Spans are sent after they have ended, and a trace is settled once it receives no more spans.
const judgedAfterUs = 900_000_000

/**
 * Counts in a transaction of the caller, which stores the result by `keepUnread`. If everything has to be counted again but the previous
 * evidence was not counted to its end, that is finished first: otherwise a sender of calls that always arrive late would never get a
 * verdict.
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
  // If the remaining budget does not suffice, the next call begins with the recount.
  return anew.complete ? anew : counted
}

/** Counts blocks up to now, as far as the budget reaches. */
async function countUp(
  db: Pick<Runner, 'rows'>,
  subject: UnreadSubject,
  options: UnreadOptions,
  { evidence, nextXid }: Start,
  budget: { left: number },
): Promise<AdvancedUnread> {
  const { nowUs } = options
  // If a session is counted again, the last count replaces the earlier one.
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
      for (const trial of batch.sessions.filter(isTrial)) trials.set(`${trial.blockStartUs} ${trial.session}`, trial)
      const blocks = toCounts(batch.sessions)
      if (isFinal) evidence.count(blocks, batch.untilUs)
      else evidence.judge(blocks, batch.untilUs, nowUs)
    }
    const wouldProve = !isFinal && options.mayProve && evidence.describe().proven
    if (wouldProve && evidence.reconsider(nowUs - judgedAfterUs)) passes.push(early)
  }
  return resultOf(true)
}

/** Returns the end of the blocks that no session can change any more. */
const endOfFinal = (nowUs: number): number => startOfBlock(nowUs - readableUs) - blockUs
/** Returns the end of the blocks of which most sessions are known. */
const endOfEarly = (nowUs: number): number => startOfBlock(nowUs - judgedAfterUs)

/** Returns the evidence as it was last stored; null if there is none. One statement. */
export async function readUnreadNow(db: Pick<Runner, 'row'>, subject: UnreadSubject): Promise<UnreadEvidence | null> {
  const row = await db.row<EvidenceRow>('decisions/read-unread-evidence', keyOf(subject))
  return row === null || row.state === null ? null : UnreadEvidence.read(row.state)
}

/** Stores the result of `advanceUnread`, in the same transaction. */
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

/** Evidence to continue with, and the transaction number from which the next call searches for late executions. */
type Start = { readonly evidence: UnreadEvidence; readonly nextXid: string }

/**
 * Returns the stored evidence, taken back to the earliest execution that has arrived late since. If one arrived more than a day late,
 * everything is counted again from the first stored execution on. That start does not depend on what was read, so the proof also holds for a
 * history that is sent at once.
 */
async function openEvidence(
  db: Pick<Runner, 'row'>,
  subject: UnreadSubject,
  { settings, nowUs, acceptedSinceUs }: UnreadOptions,
): Promise<Start & { readonly anew: Start | null }> {
  const row = await db.row<EvidenceRow>('decisions/read-unread-evidence', keyOf(subject))
  if (row === null) throw new Error('the statement that reads the evidence of a subject returned no row')
  const { xmin: nextXid, state } = row
  // Another floor or alpha requires another test. After a restore into another cluster, transaction numbers start from the beginning again.
  const isSame =
    state !== null && state.floor === settings.floor && state.alpha === settings.alpha && row.is_restored !== true
  const kept = isSame ? UnreadEvidence.read(state) : null
  if (kept !== null) {
    const since = [row.next_xid, acceptedSinceUs]
    const late = await db.row<StartRow>('decisions/find-late-unread', [...keyOf(subject), ...since])
    const lateUs = late?.start_us ?? null
    if (lateUs === null || kept.goBackTo(lateUs)) return { evidence: kept, nextXid, anew: null }
  }
  const first = await db.row<StartRow>('decisions/find-first-unread', keyOf(subject))
  const firstUs = first?.start_us ?? nowUs - readableUs
  const isRestarted = state?.isRestarted === true
  const sinceUs = isRestarted ? Math.max(firstUs, state.sinceUs) : firstUs
  const anew = { evidence: new UnreadEvidence(settings, sinceUs, isRestarted), nextXid }
  const isBehind = kept !== null && (kept.countedUntilUs < endOfFinal(nowUs) || kept.judgedUntilUs < endOfEarly(nowUs))
  // Keeps the previous transaction number, so that the late executions are found again.
  return isBehind && row.next_xid !== null ? { evidence: kept, nextXid: row.next_xid, anew } : { ...anew, anew: null }
}

type Batch = { readonly sessions: readonly JudgedSession[]; readonly untilUs: number }

/** Counts whole blocks, as many as one statement reads. */
async function countBlocks(
  db: Pick<Runner, 'rows'>,
  subject: UnreadSubject,
  options: UnreadOptions,
  fromUs: number,
  untilUs: number,
): Promise<Batch> {
  const { heldOutSinceUs, nowUs, bounds } = options
  const { batch } = bounds ?? usualBounds
  const place = [fromUs, untilUs, heldOutSinceUs, batch]
  const rows = await db.rows<UnreadExecution>('decisions/list-unread-executions', [...keyOf(subject), ...place])
  const endUs = endOfWhole(rows, fromUs, rows.length < batch ? untilUs : null)
  const ofWhole = rows.filter((row) => row.start_us < endUs)
  const begun = groupSessions(ofWhole, sessionsOfBlock)
  const isCut = rows.length >= batch && ofWhole.length === rows.length
  const sessions = isCut ? await completeSessions(db, subject, options, begun) : begun
  return { sessions: await readSessions(db, subject.workspaceId, sessions, nowUs), untilUs: endUs }
}

/**
 * Returns sessions of one block with all their executions in the block: what a session did first shows nothing of what it did later. If the
 * sessions have more executions than one statement reads, those at the end of the list are left out.
 */
async function completeSessions(
  db: Pick<Runner, 'rows'>,
  subject: UnreadSubject,
  { heldOutSinceUs, bounds }: UnreadOptions,
  begun: readonly SessionBlock[],
): Promise<SessionBlock[]> {
  const { batch } = bounds ?? usualBounds
  const fromUs = begun[0]?.blockStartUs ?? 0
  const place = [fromUs, fromUs + blockUs, heldOutSinceUs, batch, begun.map(({ session }) => session)]
  const rows = await db.rows<UnreadExecution>('decisions/list-session-executions', [...keyOf(subject), ...place])
  const lastRow = rows.at(-1)
  const cut = lastRow === undefined || rows.length < batch ? null : sessionOf(lastRow)
  const whole = rows.filter((row) => sessionOf(row) !== cut)
  // A session that has more executions than that alone is judged by the first ones.
  return groupSessions(whole.length > 0 ? whole : rows, sessionsOfBlock)
}

/**
 * Returns `wholeUs` if the statement read everything. Otherwise the last block may lack executions: it is left out, unless it is the only
 * one.
 */
function endOfWhole(rows: readonly UnreadExecution[], fromUs: number, wholeUs: number | null): number {
  if (wholeUs !== null) return wholeUs
  const lastUs = startOfBlock(rows.at(-1)?.start_us ?? fromUs)
  return startOfBlock(rows[0]?.start_us ?? fromUs) < lastUs ? lastUs : lastUs + blockUs
}

/** `judged`: in the order of blocks. */
function toCounts(judged: readonly JudgedSession[]): BlockCount[] {
  const counts: { startUs: number; sessions: number; read: number; pending: number }[] = []
  for (const { blockStartUs, isRead } of judged) {
    let last = counts.at(-1)
    if (last?.startUs !== blockStartUs) {
      last = { startUs: blockStartUs, sessions: 0, read: 0, pending: 0 }
      counts.push(last)
    }
    if (isRead === null) last.pending += 1
    else last.sessions += 1
    if (isRead === true) last.read += 1
  }
  return counts
}
