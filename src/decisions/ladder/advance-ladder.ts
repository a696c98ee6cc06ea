// Brings the replay of a subject up to date: reads the executions that were stored since the last time, and replays them.
import type { Runner } from '../../store/database.ts'
import { type Ladder, OutdatedLadder, openLadder, readLadder } from '../gate/ladder.ts'
import type { Trial } from '../gate/replay.ts'
import type { LadderSettings } from '../gate/verdict.ts'
import { maxKeptTrials } from '../trials/phase.ts'
import { type ExecutionRow, toExecution } from './execution-row.ts'
import { type ReplayEvent, replayBetween } from './replay-between.ts'

/** The executions that a ladder covers. */
export type LadderSubject = {
  readonly workspaceId: string
  readonly toolName: string
  /** Null: the tool declares none. */
  readonly toolVersion: string | null
  /** Null: every agent. */
  readonly agentId: string | null
  /** Null: every input. */
  readonly inputHash: string | null
}

export type AdvanceOptions = {
  readonly settings: LadderSettings
  /** Age limit of a rule that a user activated by force, in seconds; null: not forced. */
  readonly forcedFreshnessS: number | null
  /** Time since which the rule has served, Unix microseconds; null: it does not serve. */
  readonly servingSinceUs: number | null
  /** The decision that serves. */
  readonly decisionId: string
  readonly bounds?: ReplayBounds
}

/** One statement reads `batch` executions. One call replays at most `batches` batches. */
export type ReplayBounds = { readonly batch: number; readonly batches: number }

export type Advanced = {
  readonly ladder: Ladder
  /** Returns the newest trials of a rung in this call: at most 1,000 right and 1,000 wrong ones, oldest first. */
  readonly trialsOf: (rungS: number) => readonly Trial[]
  /** Number of executions that this call replayed. */
  readonly executions: number
  /** False if there is more to replay than one call replays. */
  readonly complete: boolean
  readonly position: Position
  readonly horizon: Horizon
  /** The watch has ended the rule that was activated by force. */
  readonly forceEnded: boolean
  /** Set if the stored replay was damaged and was restarted. */
  readonly damage: Error | null
}

/** What a replay could read, by transaction numbers. It read nothing of the transactions in between that were in progress. */
export type Horizon = {
  /** Every transaction before this one had ended and was read. */
  readonly readXid: bigint
  /** No transaction from this one on had begun. */
  readonly begunXid: bigint
}

/** The position at which the next replay continues. It is stored beside `state`. */
export type Position = {
  readonly inHistory: boolean
  /** A transaction number, as PostgreSQL writes it. */
  readonly nextXid: string
  readonly after: Place | null
  readonly invalidatedUntil: string | null
}

/** `start`: a time with all its microseconds, as PostgreSQL writes it. */
type Place = { readonly start: string; readonly traceId: Buffer; readonly spanId: Buffer }

type LadderRow = {
  xmin: string
  xmax: string
  in_history: boolean | null
  next_xid: string
  is_restored: boolean | null
  after_start: string | null
  after_trace: Buffer | null
  after_span: Buffer | null
  invalidated_until: string | null
  state: Buffer
}
/** An execution with its position in the order of commits and in the order of time. */
type PlacedRow = ExecutionRow & { readonly xid: string; readonly start_key: string }
type InvalidationRow = { at_us: number; at_key: string; input_hash: string | null; is_known: boolean }

const usualBounds: ReplayBounds = { batch: 5_000, batches: 10 }

/**
 * Replays what was stored since the last call, in a transaction of the caller, which stores the result by `keepLadder`. The first time it
 * replays the whole history in the order of starts; later it replays what was committed since, so that a late span is replayed once and
 * nothing is read twice. One statement per batch; about 10 µs per execution.
 */
export async function advanceLadder(
  db: Pick<Runner, 'rows' | 'row'>,
  subject: LadderSubject,
  options: AdvanceOptions,
): Promise<Advanced> {
  const { batch, batches } = options.bounds ?? usualBounds
  const row = await db.row<LadderRow>('decisions/read-ladder', keyOf(subject))
  if (row === null) throw new Error('the statement that reads a ladder returned no row')
  const { ladder: kept, damage } = readKept(options.settings, row)
  const ladder = kept ?? openLadder(options.settings)
  const force = forceOnce(ladder, options.forcedFreshnessS)
  let position = kept === null ? beginAt(row.xmin) : readPosition(row)
  const recent = await db.rows<InvalidationRow>('decisions/list-invalidations', [
    ...keyOf(subject),
    position.invalidatedUntil,
  ])
  const invalidations = recent.map((one) => ({ ...one, atUs: one.at_us, inputHash: one.input_hash }))
  ladder.recall(invalidations)
  const events = listEvents(options, force.begin)
  const trials = makeTrialList()
  let executions = 0
  let isOver = false
  for (let count = 0; count < batches && !isOver; count += 1) {
    const rows = await readBatch(db, subject, position, row, { batch, decisionId: options.decisionId })
    if (!position.inHistory) force.begin()
    replayBetween(ladder, rows.map(toExecution), events, {
      servingSinceUs: options.servingSinceUs,
      onTrial: trials.add,
    })
    executions += rows.length
    isOver = rows.length < batch && !position.inHistory
    position = rows.length < batch ? passOn(position, row.xmin) : goOn(position, rows)
  }
  const told = invalidations.filter((one) => isOver && !one.is_known)
  for (const { atUs, inputHash } of told) ladder.invalidate(atUs, inputHash)
  const invalidatedUntil = told.at(-1)?.at_key ?? position.invalidatedUntil
  return {
    ladder,
    trialsOf: trials.listOf,
    executions,
    complete: isOver,
    position: { ...position, invalidatedUntil },
    horizon: { readXid: BigInt(row.xmin), begunXid: BigInt(row.xmax) },
    forceEnded: force.hasEnded(),
    damage,
  }
}

type Kept = { readonly ladder: Ladder | null; readonly damage: Error | null }

/** Returns no ladder if everything has to be read again: none was stored, or the stored one cannot be used. */
function readKept(settings: LadderSettings, row: LadderRow): Kept {
  // After a restore into another cluster, transaction numbers start from the beginning again.
  if (row.in_history === null || row.is_restored === true) return { ladder: null, damage: null }
  try {
    return { ladder: readLadder(settings, row.state), damage: null }
  } catch (error) {
    if (error instanceof OutdatedLadder) return { ladder: null, damage: null }
    return { ladder: null, damage: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** The rule is forced only from its activation on: what its tool did before is no reason to end it. */
function forceOnce(ladder: Ladder, freshnessS: number | null) {
  let hasBegun = false
  return {
    begin(): void {
      if (!hasBegun) ladder.force(freshnessS)
      hasBegun = true
    },
    hasEnded: (): boolean => hasBegun && freshnessS !== null && !ladder.isForced(),
  }
}

/** Returns the activation by force as an event between the executions. */
function listEvents({ forcedFreshnessS, servingSinceUs }: AdvanceOptions, beginForce: () => void): ReplayEvent[] {
  if (forcedFreshnessS === null || servingSinceUs === null) return []
  return [{ atUs: servingSinceUs - 1, apply: beginForce }]
}

/** Returns the ladder as it was last stored; null if there is none that can be used. One statement. */
export async function readLadderNow(
  db: Pick<Runner, 'row'>,
  subject: LadderSubject,
  settings: LadderSettings,
): Promise<Ladder | null> {
  const row = await db.row<LadderRow>('decisions/read-ladder', keyOf(subject))
  return row === null ? null : readKept(settings, row).ladder
}

/** Stores the result of `advanceLadder`, in the same transaction. */
export async function keepLadder(
  db: Pick<Runner, 'run'>,
  subject: LadderSubject,
  { ladder, position }: Pick<Advanced, 'ladder' | 'position'>,
): Promise<void> {
  const { inHistory, nextXid, after, invalidatedUntil } = position
  const place = [after?.start ?? null, after?.traceId ?? null, after?.spanId ?? null]
  const state = Buffer.from(ladder.write())
  await db.run('decisions/keep-ladder', [...keyOf(subject), inHistory, nextXid, ...place, invalidatedUntil, state])
}

const keyOf = ({ workspaceId, toolName, toolVersion, agentId, inputHash }: LadderSubject): unknown[] => [
  workspaceId,
  toolName,
  toolVersion,
  agentId,
  inputHash,
]

const beginAt = (xmin: string): Position => ({ inHistory: true, nextXid: xmin, after: null, invalidatedUntil: null })

function readPosition(row: LadderRow): Position {
  const { after_start: start, after_trace: traceId, after_span: spanId } = row
  const after = start === null || traceId === null || spanId === null ? null : { start, traceId, spanId }
  return {
    inHistory: row.in_history === true,
    nextXid: row.next_xid,
    after,
    invalidatedUntil: row.invalidated_until,
  }
}

async function readBatch(
  db: Pick<Runner, 'rows'>,
  subject: LadderSubject,
  { inHistory, nextXid, after }: Position,
  { xmin, xmax }: LadderRow,
  { batch, decisionId }: { readonly batch: number; readonly decisionId: string },
): Promise<PlacedRow[]> {
  const place = [after?.start ?? null, after?.traceId ?? null, after?.spanId ?? null]
  const statement = inHistory ? 'decisions/replay-history' : 'decisions/replay-commits'
  const transactions = [nextXid, inHistory ? xmax : xmin]
  return await db.rows<PlacedRow>(statement, [...keyOf(subject), ...transactions, ...place, batch, decisionId])
}

/**
 * Returns the position after everything was read. After the history come the commits since its replay began; after those, the transactions
 * from the present `xmin` on, which may still be in progress.
 */
const passOn = ({ inHistory, nextXid, ...rest }: Position, xmin: string): Position => ({
  ...rest,
  inHistory: false,
  nextXid: inHistory ? nextXid : xmin,
  after: null,
})

function goOn(position: Position, rows: readonly PlacedRow[]): Position {
  const last = rows.at(-1)
  if (last === undefined) return position
  const after = {
    start: last.start_key,
    traceId: Buffer.from(last.trace_id, 'hex'),
    spanId: Buffer.from(last.span_id, 'hex'),
  }
  return { ...position, nextXid: position.inHistory ? position.nextXid : last.xid, after }
}

type TrialList = { readonly add: (trial: Trial) => void; readonly listOf: (rungS: number) => readonly Trial[] }

/** Collects the newest trials of either outcome for each rung: which rung is shown is known only after the replay. */
function makeTrialList(): TrialList {
  const kept = new Map<string, Trial[]>()
  const keptOf = (rungS: number, matched: boolean): Trial[] => kept.get(`${rungS} ${matched}`) ?? []
  return {
    add(trial) {
      const trials = keptOf(trial.rungS, trial.matched)
      trials.push(trial)
      if (trials.length >= 2 * maxKeptTrials) trials.splice(0, maxKeptTrials)
      kept.set(`${trial.rungS} ${trial.matched}`, trials)
    },
    listOf: (rungS) =>
      [true, false]
        .flatMap((matched) => keptOf(rungS, matched).slice(-maxKeptTrials))
        .sort((a, b) => a.execution.startUs - b.execution.startUs),
  }
}
