// Runs every detector on a workspace and writes what they found.
import { openPriceBook, type PriceBook } from '../pricing/price-book.ts'
import { openWorkspaceBook } from '../pricing/workspace-prices.ts'
import type { Database } from '../store/database.ts'
import { readPrices } from '../workspaces/prices/read-prices.ts'
import type { Detector, ScanContext } from './detector.ts'
import { detectors as every } from './detectors.ts'
import { measureWindow } from './measure-window.ts'
import { nameSharedCosts } from './shared-costs.ts'
import { type DetectorResult, writeFindings } from './write-findings.ts'

export type DetectDeps = {
  readonly db: Database
  /** Unix milliseconds. */
  readonly nowMs: () => number
  /** Called with the error of a detector that failed; the others continue. */
  readonly onFailure?: (type: string, error: unknown) => void
  /** For tests: replaces the detectors of the service. */
  readonly detectors?: readonly Detector[]
}

export type Detected = {
  readonly opened: number
  readonly updated: number
  readonly resolved: number
  /** Types whose detector failed. Their stored findings stay as they are. */
  readonly failed: readonly string[]
  /** Types whose detector did not run because the signal was aborted. */
  readonly skipped: readonly string[]
}

const statementTimeoutMs = 5_000
const turnMs = 60_000

/**
 * Runs one pass. Every detector reads a bounded number of rows in statements of at most 5 seconds, one after another; what they found is
 * written in one transaction. Safe to run concurrently; the same events at the same time give the same findings. If the signal is aborted,
 * what was found so far is written, and another detector comes first the next minute. Throws Outage if the database is unavailable.
 */
export async function detectFindings(deps: DetectDeps, workspaceId: string, signal?: AbortSignal): Promise<Detected> {
  const { db, onFailure = () => undefined, detectors = every } = deps
  const nowMs = deps.nowMs()
  let measuring: ReturnType<typeof measureWindow> | undefined
  const measured = () => (measuring ??= measureWindow(db, workspaceId, nowMs))
  const prices = await openPrices(db, workspaceId)
  const scan: ScanContext = { rows: boundLooks(db), workspaceId, nowMs, measured, prices }
  const results: DetectorResult[] = []
  const failed: string[] = []
  const skipped: string[] = []
  for (const detector of inTurn(detectors, nowMs)) {
    if (signal?.aborted === true) {
      skipped.push(detector.type)
      continue
    }
    try {
      results.push({ detector, found: await detector.detect(scan) })
    } catch (error) {
      failed.push(detector.type)
      onFailure(detector.type, error)
    }
  }
  const named = await nameSharedCosts(db, workspaceId, results)
  const written = await writeFindings(db, { workspaceId, nowMs, results: named })
  return { ...written, failed: failed.sort(), skipped: skipped.sort() }
}

/** Opens the prices. Those of the workspace take precedence over the list, as when events are stored. */
async function openPrices(db: Database, workspaceId: string): Promise<PriceBook> {
  const table = openPriceBook()
  const own = await readPrices(db, workspaceId)
  return own.ok && own.value !== null ? openWorkspaceBook(table, own.value) : table
}

/** Starts at another detector each minute, so that no detector is always left out. */
function inTurn(detectors: readonly Detector[], nowMs: number): Detector[] {
  const first = Math.floor(nowMs / turnMs) % Math.max(1, detectors.length)
  return [...detectors.slice(first), ...detectors.slice(0, first)]
}

/**
 * Returns a function that runs one statement with a time limit. No connection is held between two statements: reading the rollups needs one
 * of its own.
 */
const boundLooks =
  (db: Database): ScanContext['rows'] =>
  async <Row extends object>(statement: string, values?: readonly unknown[]) =>
    await db.tx(async (tx) => {
      await tx.run('findings/bound-look', [String(statementTimeoutMs)])
      return await tx.rows<Row>(statement, values)
    })
