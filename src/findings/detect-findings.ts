// Looks a workspace through with every detector, and writes what they found.
import { openPriceBook, type PriceBook } from '../pricing/price-book.ts'
import { openWorkspaceBook } from '../pricing/workspace-prices.ts'
import type { Database } from '../store/database.ts'
import { readPrices } from '../workspaces/prices/read-prices.ts'
import { detectors as every } from './detectors.ts'
import type { Detector, Look } from './found.ts'
import { measureWindow } from './measure-window.ts'
import { type Result, writeFindings } from './write-findings.ts'

export type DetectDeps = {
  readonly db: Database
  /** Unix milliseconds. */
  readonly nowMs: () => number
  /** Told why a detector failed; the others go on. */
  readonly onFailure?: (type: string, error: unknown) => void
  /** For tests: others than those of the service. */
  readonly detectors?: readonly Detector[]
}

export type Detected = {
  readonly opened: number
  readonly updated: number
  readonly resolved: number
  /** The types whose detector failed: what stands of them stays as it is. */
  readonly failed: readonly string[]
  /** The types that the signal left no time for. */
  readonly skipped: readonly string[]
}

const statementTimeoutMs = 5_000
const turnMs = 60_000

/**
 * One look. Every detector reads a bounded number of rows in statements of at most 5 seconds, one after another; what they found is
 * written in one transaction. Safe twice at once; the same events at the same time give the same findings. Where the signal stops
 * it, what was found so far is written, and another detector comes first the next minute. Throws Outage where the database is away.
 */
export async function detectFindings(deps: DetectDeps, workspaceId: string, signal?: AbortSignal): Promise<Detected> {
  const { db, onFailure = () => undefined, detectors = every } = deps
  const nowMs = deps.nowMs()
  let measuring: ReturnType<typeof measureWindow> | undefined
  const measured = () => (measuring ??= measureWindow(db, workspaceId, nowMs))
  const prices = await openPrices(db, workspaceId)
  const look: Look = { rows: boundLooks(db), workspaceId, nowMs, measured, prices }
  const results: Result[] = []
  const failed: string[] = []
  const skipped: string[] = []
  for (const detector of inTurn(detectors, nowMs)) {
    if (signal?.aborted === true) {
      skipped.push(detector.type)
      continue
    }
    try {
      results.push({ detector, found: await detector.detect(look) })
    } catch (error) {
      failed.push(detector.type)
      onFailure(detector.type, error)
    }
  }
  const written = await writeFindings(db, { workspaceId, nowMs, results })
  return { ...written, failed: failed.sort(), skipped: skipped.sort() }
}

/** The workspace's own prices before those of the list, as where events are stored. */
async function openPrices(db: Database, workspaceId: string): Promise<PriceBook> {
  const table = openPriceBook()
  const own = await readPrices(db, workspaceId)
  return own.ok && own.value !== null ? openWorkspaceBook(table, own.value) : table
}

/** From another one on each minute, so that none is always left out. */
function inTurn(detectors: readonly Detector[], nowMs: number): Detector[] {
  const first = Math.floor(nowMs / turnMs) % Math.max(1, detectors.length)
  return [...detectors.slice(first), ...detectors.slice(0, first)]
}

/** No connection is held between two statements: what reads the rollups needs one of its own. */
const boundLooks =
  (db: Database): Look['rows'] =>
  async <Row extends object>(statement: string, values?: readonly unknown[]) =>
    await db.tx(async (tx) => {
      await tx.run('findings/bound-look', [String(statementTimeoutMs)])
      return await tx.rows<Row>(statement, values)
    })
