// The evidence that models use the result of a tool in few sessions: blocks that are counted finally, and those of the last day, which a
// session may still change. Pure.
import { BlockEvidence, type EvidenceState, shareSteps } from '../gate/evidence.ts'
import { Growth, type GrowthPoint } from '../gate/growth.ts'
import { blocksLacking, forecastS, lowerShare, upperShare, type Verdict } from '../gate/verdict.ts'
import { blockUs, startOfBlock } from './sessions.ts'

export type UnreadSettings = { readonly floor: number; readonly alpha: number }

export type BlockCount = {
  readonly startUs: number
  /** Number of sessions whose outcome is known. */
  readonly sessions: number
  /** Number of those in which a model used a result. */
  readonly read: number
  /** Number of sessions whose outcome is not known yet. Absent if an older release counted the block. */
  readonly pending?: number
}

export type UnreadStanding = {
  readonly verdict: Verdict
  readonly proven: boolean
  /** K; it passes at `threshold`. */
  readonly evidence: number
  readonly threshold: number
  readonly blocks: number
  /** Number of sessions; one that continues counts once in each block. */
  readonly trials: number
  /** Number of sessions in which a result was used. */
  readonly wrong: number
  /** The highest mean share of such sessions that the blocks do not refute. */
  readonly wrongShareUpper: number
  /**
   * Number of blocks without such a session that the proof needs, and the seconds that these take at the rate at which blocks came so far;
   * null: too few came to tell.
   */
  readonly needsBlocks: number
  readonly needsS: number | null
  readonly points: readonly GrowthPoint[]
}

type PlainEvidence = Omit<EvidenceState, 'logs' | 'shares'> & {
  readonly logs: number[]
  readonly shares: [step: number, count: number][]
}

/** The evidence as it is stored, in JSON. */
export type PlainUnread = UnreadSettings & {
  readonly sinceUs: number
  readonly isRestarted: boolean
  readonly countedUntilUs: number
  readonly judgedUntilUs: number
  /** Absent if an older release wrote the evidence. */
  readonly judgedAtUs?: number
  readonly recent: readonly BlockCount[]
  readonly evidence: PlainEvidence
  readonly growth: Pick<Growth, 'points' | 'stride'>
}

export class UnreadEvidence {
  readonly settings: UnreadSettings
  readonly sinceUs: number
  /** Executions before `sinceUs` have already led to a verdict and never count again. */
  readonly isRestarted: boolean
  /** Blocks before this time are counted finally. */
  countedUntilUs: number
  /** Blocks before this time were counted, those after `countedUntilUs` provisionally. */
  judgedUntilUs: number
  /** Time at which the first of the provisional blocks were counted. */
  private judgedAtUs = 0
  private recent: BlockCount[] = []
  private readonly evidence: BlockEvidence
  private readonly growth = new Growth()

  constructor(settings: UnreadSettings, sinceUs: number, isRestarted = false) {
    this.settings = settings
    this.sinceUs = startOfBlock(sinceUs)
    this.isRestarted = isRestarted
    this.countedUntilUs = this.sinceUs
    this.judgedUntilUs = this.sinceUs
    this.evidence = new BlockEvidence(blockUs, settings.floor, settings.alpha)
  }

  /** Counts blocks finally, oldest first: all up to `untilUs`. */
  count(blocks: readonly BlockCount[], untilUs: number): void {
    for (const block of blocks) addBlock(this.evidence, this.growth, block, this.settings.alpha)
    this.countedUntilUs = untilUs
    this.judgedUntilUs = Math.max(this.judgedUntilUs, untilUs)
    this.recent = this.recent.filter(({ startUs }) => startUs >= untilUs)
  }

  /** Counts blocks provisionally, by what is known at `nowUs`, oldest first: all from `judgedUntilUs` up to `untilUs`. */
  judge(blocks: readonly BlockCount[], untilUs: number, nowUs: number): void {
    if (this.recent.length === 0) this.judgedAtUs = nowUs
    this.recent.push(...blocks)
    this.judgedUntilUs = untilUs
  }

  /**
   * Discards the provisional blocks, so that they are counted again, if they were counted at or before `beforeUs`. Returns false if nothing
   * was discarded.
   */
  reconsider(beforeUs: number): boolean {
    if (this.recent.length === 0 || this.judgedAtUs > beforeUs) return false
    this.recent = []
    this.judgedUntilUs = this.countedUntilUs
    return true
  }

  /**
   * Takes account of an execution at `atUs` that arrived late: its block and those after it are counted again. Returns false if its block
   * was counted finally.
   */
  goBackTo(atUs: number): boolean {
    if (atUs >= this.judgedUntilUs || (this.isRestarted && atUs < this.sinceUs)) return true
    if (atUs < this.countedUntilUs) return false
    this.judgedUntilUs = startOfBlock(atUs)
    this.recent = this.recent.filter(({ startUs }) => startUs < this.judgedUntilUs)
    return true
  }

  describe(): UnreadStanding {
    const { floor, alpha } = this.settings
    const evidence = new BlockEvidence(blockUs, floor, alpha)
    evidence.state = copyOf(this.evidence.state)
    const growth = growthOf(this.growth)
    for (const block of this.recent) addBlock(evidence, growth, block, alpha)
    const { blocks, trials, wrong, proven, shares, logs } = evidence.state
    const isRefuted = lowerShare(this.leastShares(), alpha) > 1 - floor
    const needsBlocks = proven ? 0 : blocksLacking(logs, floor, alpha)
    return {
      verdict: isRefuted ? 'fail' : proven ? 'pass' : 'inconclusive',
      proven: proven && !isRefuted,
      evidence: evidence.value,
      threshold: 1 / alpha,
      blocks,
      trials,
      wrong,
      wrongShareUpper: upperShare(shares, alpha),
      needsBlocks,
      needsS: forecastS(evidence.state, blockUs, needsBlocks, this.judgedUntilUs),
      points: growth.points,
    }
  }

  /**
   * Returns the number of blocks by the least share of sessions that use a result. A session that is not known yet counts as one that uses
   * none: a use is known before its absence, so that the known sessions alone would refute a tool whose traces are long.
   */
  private leastShares(): Uint32Array {
    const shares = this.evidence.state.shares.slice()
    for (const { sessions, read, pending } of this.recent) {
      if (pending === undefined || sessions + pending === 0) continue
      shares[Math.ceil((read / (sessions + pending)) * shareSteps)]! += 1
    }
    return shares
  }

  /** Returns evidence that begins with the next block, after a verdict against the rule. It keeps the points of the chart. */
  restart(nowUs: number): UnreadEvidence {
    const begun = new UnreadEvidence(this.settings, startOfBlock(nowUs) + blockUs, true)
    begun.growth.points = [...this.describe().points]
    begun.growth.stride = this.growth.stride
    begun.growth.restart(nowUs)
    return begun
  }

  write(): PlainUnread {
    const { settings, sinceUs, isRestarted, countedUntilUs, judgedUntilUs, judgedAtUs, recent, growth } = this
    const { logs, shares, ...state } = this.evidence.state
    const evidence = {
      ...state,
      logs: [...logs],
      shares: [...shares].flatMap((count, step): [number, number][] => (count === 0 ? [] : [[step, count]])),
    }
    const { points, stride } = growth
    return {
      ...settings,
      sinceUs,
      isRestarted,
      countedUntilUs,
      judgedUntilUs,
      judgedAtUs,
      recent,
      evidence,
      growth: { points, stride },
    }
  }

  /** Restores the result of `write`. */
  static read(plain: PlainUnread): UnreadEvidence {
    const { floor, alpha, sinceUs, isRestarted, evidence, growth } = plain
    const read = new UnreadEvidence({ floor, alpha }, sinceUs, isRestarted)
    read.countedUntilUs = plain.countedUntilUs
    read.judgedUntilUs = plain.judgedUntilUs
    read.judgedAtUs = plain.judgedAtUs ?? 0
    read.recent = [...plain.recent]
    const shares = new Uint32Array(read.evidence.state.shares.length)
    for (const [step, count] of evidence.shares) shares[step] = count
    read.evidence.state = { ...evidence, logs: Float64Array.from(evidence.logs), shares }
    read.growth.points = [...growth.points]
    read.growth.stride = growth.stride
    return read
  }
}

const copyOf = (state: EvidenceState): EvidenceState => ({
  ...state,
  logs: state.logs.slice(),
  shares: state.shares.slice(),
})

function growthOf({ points, stride }: Growth): Growth {
  const growth = new Growth()
  growth.points = [...points]
  growth.stride = stride
  return growth
}

function addBlock(
  evidence: BlockEvidence,
  growth: Growth,
  { startUs, sessions, read }: BlockCount,
  alpha: number,
): void {
  if (sessions === 0) return
  for (let nth = 0; nth < sessions; nth++) evidence.add(startUs, nth < read)
  evidence.close()
  const { blocks, trials, wrong, shares } = evidence.state
  growth.note(blocks, () => ({
    atUs: startUs + blockUs,
    trials,
    matches: trials - wrong,
    evidence: evidence.value,
    wrongShareUpper: upperShare(shares, alpha),
  }))
}
