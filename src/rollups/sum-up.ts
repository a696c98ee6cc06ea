// Sums up the row of an hour that is over from its minutes, and that of a day from its hours. Repeating it changes nothing.
import { type Bucket, makeBucket, mergeBucket } from '../sketches/bucket.ts'
import type { Tx } from '../store/database.ts'
import type { CorruptRollup } from './corrupt-rollup.ts'
import { expectNoNewer, openRow, openRowWriter, rowKeyOf, type StoredRow } from './rows.ts'
import { lengthMs, type Tier, tiers } from './tiers.ts'
import type { SumWork } from './work.ts'

// The cells of a minute may have some hundred kilobytes, those of an hour more.
const pageOf: Readonly<Record<Tier, number>> = { 0: 30, 1: 6, 2: 1 }

/** Runs in a snapshot, for a workspace that is held. If a row is damaged, the recount of its time range will request this sum again. */
export async function sumUp(
  tx: Tx,
  { workspaceId, kind, startMs }: SumWork,
  onDamage: (corrupt: CorruptRollup) => void,
): Promise<void> {
  const sum = makeBucket()
  const add = async (tier: Tier, fromMs: number, toMs: number): Promise<number[]> =>
    await addRows(tx, sum, { workspaceId, tier, fromMs, toMs }, onDamage)
  const toMs = startMs + lengthMs[kind]
  if (kind === tiers.hour) await add(tiers.minute, startMs, toMs)
  else {
    const summed = new Set(await add(tiers.hour, startMs, toMs))
    // The hour has no row: none of its events arrived before the day was over, or its sum is still pending.
    for (let ms = startMs; ms < toMs; ms += lengthMs[tiers.hour]) {
      if (!summed.has(ms)) await add(tiers.minute, ms, ms + lengthMs[tiers.hour])
    }
  }
  await expectNoNewer(tx, workspaceId, [{ tier: kind, fromMs: startMs, toMs }])
  const writer = openRowWriter(tx)
  await writer.add({ workspaceId, tier: kind, startMs }, sum)
  await writer.finish()
}

type Span = { readonly workspaceId: string; readonly tier: Tier; readonly fromMs: number; readonly toMs: number }

/** Returns the starts of the rows that were added. */
async function addRows(tx: Tx, sum: Bucket, span: Span, onDamage: (corrupt: CorruptRollup) => void): Promise<number[]> {
  const { workspaceId, tier, toMs } = span
  const starts: number[] = []
  for (let fromMs = span.fromMs; fromMs < toMs; ) {
    const values = [workspaceId, tier, fromMs / 1_000, toMs / 1_000, pageOf[tier]]
    const rows = await tx.rows<StoredRow>('rollups/list-rows', values)
    for (const row of rows) {
      const bucket = await openRow(tx, row, onDamage)
      if (bucket === null) continue
      mergeBucket(sum, bucket)
      starts.push(rowKeyOf(row).startMs)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageOf[tier]) break
    fromMs = rowKeyOf(last).startMs + lengthMs[tier]
  }
  return starts
}
