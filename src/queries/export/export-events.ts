// Exports a window of events: one line of JSON for each event, with a cursor at which the export can be resumed after that line.
import type { DutyCycle } from '../../base/duty-cycle.ts'
import { Outage } from '../../base/fault.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { CursorScope, Cursors } from '../../web/page.ts'
import { showEventDetail } from '../events/event-detail-shape.ts'
import { type ExactWindow, type GivenWindow, resolveExact } from '../window.ts'
import { type ExportState, resumeExport } from './export-state.ts'
import { type ExportRow, placeOf, readPages } from './read-pages.ts'
import { openPayloadReader } from './read-payloads.ts'

export type ExportDeps = {
  readonly db: Database
  readonly cursors: Cursors
  /** Unix ms: the end of a window without `to_time`. */
  readonly nowMs: () => number
  /** Duty cycle that all exports of the process share: making lines blocks the thread that answers all requests. */
  readonly dutyCycle: DutyCycle
}

export type ExportQuery = {
  readonly workspaceId: string
  readonly window: GivenWindow
  readonly cursor: string | undefined
}

export type Export = {
  readonly window: ExactWindow
  /** The cursor of the position where the export begins. */
  readonly cursor: string
  /** `isAllowed` is called about once a second. If it returns false, the parts end with an Outage. */
  readonly parts: (isAllowed: () => Promise<boolean>) => AsyncGenerator<Buffer>
  /** A cursor for the events that are committed after this export; null until the last part was read. */
  readonly endCursor: () => string | null
}

type Pinned = ExactWindow & { readonly state: ExportState }

const partBytes = 65_536
// The longest time that other requests wait for one part.
const partMs = 10
const allowedForMs = 1_000

/** Pins the window and a snapshot, or resumes at the cursor. */
export async function openExport(deps: ExportDeps, query: ExportQuery): Promise<Outcome<Export, 'cursor_invalid'>> {
  const { db, cursors, nowMs } = deps
  const { workspaceId } = query
  const scope: CursorScope = { route: 'export', workspaceId, filters: {} }
  const opened = query.cursor === undefined ? null : cursors.open<Pinned>(scope, query.cursor)
  if (opened?.ok === false) return opened
  const held = opened?.value.state
  const window: ExactWindow = held ?? resolveExact(query.window, nowMs())
  const { from_time: fromUs = window.fromUs, to_time: toUs = window.toUs } = query.window
  if (fromUs !== window.fromUs || toUs !== window.toUs) return refuse('cursor_invalid')
  const state = await resumeExport(db, workspaceId, held?.state ?? null)
  if (state === null) return refuse('cursor_invalid')

  const firstReadMs = held?.state.isEnded === false ? opened?.value.firstReadMs : undefined
  const pin = (at: Partial<ExportState>, ms?: number): string =>
    cursors.seal(scope, { fromUs: window.fromUs, toUs: window.toUs, state: { ...state, ...at } }, ms)
  let endCursor: string | null = null
  return ok({
    window,
    cursor: pin({}, firstReadMs),
    endCursor: () => endCursor,
    parts: async function* (isAllowed) {
      const seal = (row: ExportRow): string => pin({ place: placeOf(row) }, firstReadMs)
      yield* makeParts(deps, { workspaceId, window, state, seal, isAllowed })
      endCursor = pin({ isEnded: true, place: null })
    },
  })
}

type Making = {
  readonly workspaceId: string
  readonly window: ExactWindow
  readonly state: ExportState
  readonly seal: (row: ExportRow) => string
  readonly isAllowed: () => Promise<boolean>
}

async function* makeParts({ db, dutyCycle }: ExportDeps, making: Making): AsyncGenerator<Buffer> {
  const payloads = openPayloadReader(db, making.workspaceId)
  let allowedMs = performance.now()

  for await (const page of readPages(db, making)) {
    let at = 0
    const makePart = async (): Promise<Buffer> => {
      const lines: string[] = []
      const startedMs = performance.now()
      for (let bytes = 0; at < page.length && bytes < partBytes && performance.now() - startedMs < partMs; at += 1) {
        const row = page[at]
        if (row?.is_due !== true) continue
        const event = showEventDetail({ ...row, body: null }, await payloads.read(page, at))
        const line = `${JSON.stringify({ ...event, cursor: making.seal(row) })}\n`
        bytes += line.length
        lines.push(line)
      }
      return Buffer.from(lines.join(''))
    }
    while (at < page.length) {
      // Checked after the waits for the client, too, which may have been long.
      if (performance.now() - allowedMs > allowedForMs) {
        if (!(await making.isAllowed())) throw new Outage('limit', 'the caller may not export the workspace any more')
        allowedMs = performance.now()
      }
      const part = await dutyCycle.run(makePart)
      if (part === null) throw new Outage('limit', 'the service stops')
      if (part.byteLength > 0) yield part
    }
  }
}
