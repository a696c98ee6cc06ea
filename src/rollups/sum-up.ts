// The row of an hour that is over, made of its minutes, and that of a day, made of its hours. Doing it twice changes nothing.
import { type Bucket, makeBucket, mergeBucket } from '../measure/bucket.ts'
import type { Tx } from '../store/database.ts'
import type { Damage } from './damage.ts'
import { expectNoNewer, keyOf, openRow, openRowWriter, type StoredRow } from './rows.ts'
import { lengthMs, type Tier, tiers } from './tiers.ts'
import type { Sum } from './work.ts'

// A row of cells may have some hundred kilobytes, that of an hour more.
const pageOf: Readonly<Record<Tier, number>> = { 0: 30, 1: 6, 2: 1 }

/** In a snapshot, of a workspace that is held. Where a row was damaged, counting its time anew will ask for this sum once more. */
export async function sumUp(
  tx: Tx,
  { workspaceId, kind, startMs }: Sum,
  onDamage: (damage: Damage) => void,
): Promise<void> {
  const sum = makeBucket()
  const add = async (tier: Tier, fromMs: number, toMs: number): Promise<number[]> =>
    await addRows(tx, sum, { workspaceId, tier, fromMs, toMs }, onDamage)
  const toMs = startMs + lengthMs[kind]
  if (kind === tiers.hour) await add(tiers.minute, startMs, toMs)
  else {
    const summed = new Set(await add(tiers.hour, startMs, toMs))
    // An hour without a row: none of its events came before the day was over, or it is to be summed up yet.
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

/** Gives the starts of the rows that it added. */
async function addRows(tx: Tx, sum: Bucket, span: Span, onDamage: (damage: Damage) => void): Promise<number[]> {
  const { workspaceId, tier, toMs } = span
  const starts: number[] = []
  for (let fromMs = span.fromMs; fromMs < toMs; ) {
    const values = [workspaceId, tier, fromMs / 1_000, toMs / 1_000, pageOf[tier]]
    const rows = await tx.rows<StoredRow>('rollups/list-rows', values)
    for (const row of rows) {
      const bucket = await openRow(tx, row, onDamage)
      if (bucket === null) continue
      mergeBucket(sum, bucket)
      starts.push(keyOf(row).startMs)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageOf[tier]) break
    fromMs = keyOf(last).startMs + lengthMs[tier]
  }
  return starts
}
