// Recomputes minutes from their events and replaces their rows unread.
import { addFact, type Bucket, makeBucket } from '../sketches/bucket.ts'
import { type Fact, makeFact } from '../sketches/fact.ts'
import type { Tx } from '../store/database.ts'
import { eachFact, type FactWindow } from './each-fact.ts'
import { eachFactOf, type FactRow } from './read-facts.ts'
import { expectNoNewer, openRowWriter, type RowRange } from './rows.ts'
import { floorTo, lengthMs, type Tier, tiers } from './tiers.ts'
import { askForSums } from './work.ts'

export type RebuildLimits = {
  /** The minute in which the limit is reached is still counted to its end. */
  readonly maxEvents: number
  readonly maxMinutes: number
}

export type Rebuilt = {
  /** All minutes before this time are done. */
  readonly doneMs: number
  readonly events: number
  readonly minutes: number
}

/**
 * Runs in a snapshot, for a workspace that is held and whose deltas of these minutes are all taken in the same transaction: an event that
 * the snapshot contains is counted here, any other by its own delta. The rows of hours and days are removed, since they cannot be corrected
 * by differences; they are requested again, and until then read from their minutes. Memory: one minute and some megabytes of rows. Throws
 * NewerFormat and changes nothing if a newer release wrote one of the rows.
 */
export async function rebuildMinutes(tx: Tx, window: FactWindow, limits: RebuildLimits): Promise<Rebuilt> {
  const { workspaceId, fromMs, toMs } = window
  const writer = openRowWriter(tx)
  const written: number[] = []
  const fact = makeFact()
  let bucket: Bucket = makeBucket()
  let minute: number | null = null
  let doneMs = toMs
  let events = 0

  const close = async (): Promise<void> => {
    if (minute === null) return
    await writer.add({ workspaceId, tier: tiers.minute, startMs: minute }, bucket)
    written.push(minute)
  }

  /** Returns false if a limit is reached. */
  const begin = async (startMs: number): Promise<boolean> => {
    await close()
    bucket = makeBucket()
    minute = startMs
    if (events < limits.maxEvents && written.length < limits.maxMinutes) return true
    doneMs = startMs
    minute = null
    return false
  }

  const addOne = (one: Fact): void => addFact(bucket, one, 1)

  const add = (row: FactRow): boolean => {
    eachFactOf(fact, row, addOne)
    events += 1
    return true
  }

  const take = (row: FactRow): boolean | Promise<boolean> => {
    const startMs = floorTo(row.start_us / 1_000, tiers.minute)
    return startMs === minute ? add(row) : begin(startMs).then((isMore) => isMore && add(row))
  }

  await expectNoNewer(
    tx,
    workspaceId,
    Object.values(tiers).map((tier) => coverOf(window, tier)),
  )
  await eachFact(tx, window, take)
  await close()
  await writer.finish()
  await forgetOthers(tx, { workspaceId, fromMs, toMs: doneMs }, written)
  return { doneMs, events, minutes: written.length }
}

/** The range of whole rows of a tier that a span touches. */
const coverOf = ({ fromMs, toMs }: Pick<FactWindow, 'fromMs' | 'toMs'>, tier: Tier): RowRange => ({
  tier,
  fromMs: floorTo(fromMs, tier),
  toMs: Math.ceil(toMs / lengthMs[tier]) * lengthMs[tier],
})

/** Removes the minutes that have no events any more, and every hour and day that contains a rebuilt minute. */
async function forgetOthers(tx: Tx, { workspaceId, fromMs, toMs }: FactWindow, written: number[]): Promise<void> {
  const clear = async (tier: Tier, but: readonly number[]): Promise<number[]> => {
    const cover = coverOf({ fromMs, toMs }, tier)
    const values = [workspaceId, tier, cover.fromMs / 1_000, cover.toMs / 1_000, but.map((ms) => ms / 1_000)]
    const rows = await tx.rows<{ start_s: number }>('rollups/delete-range', values)
    return rows.map(({ start_s }) => start_s * 1_000)
  }
  await clear(tiers.minute, written)
  for (const tier of [tiers.hour, tiers.day] as const) {
    const cleared = await clear(tier, [])
    const starts = new Set([...cleared, ...written.map((ms) => floorTo(ms, tier))])
    await askForSums(
      tx,
      [...starts].map((startMs) => ({ workspaceId, kind: tier, startMs })),
    )
  }
}
