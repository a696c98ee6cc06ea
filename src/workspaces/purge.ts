// The loop that removes the data of deleted workspaces in small transactions, and resumes where the last one stopped.
import { openPassLoop, type PassLoop } from '../base/pass-loop.ts'
import { runFitting } from '../store/batch-size.ts'
import type { Database } from '../store/database.ts'

export type WorkspacePurge = PassLoop & {
  /** A workspace was deleted: starts a pass now. */
  readonly wake: () => void
}

type Options = {
  readonly db: Database
  readonly onError: (error: unknown, doing: string) => void
  /** Called after each pass without errors, with the number of workspaces that it found to purge. */
  readonly onPassed?: (found: number) => void
  readonly tickMs?: number
  readonly batchRows?: number
  /** How long requests that began before the deletion may still write. An empty workspace is finished only after this time. */
  readonly settleMs?: number
}

/** Any number of processes may run it: each skips workspaces that another one is purging. A stop ends after the current batch. */
export function openWorkspacePurge(options: Options): WorkspacePurge {
  const { db, onError, tickMs = 60_000, batchRows = 5_000, settleMs = 120_000 } = options
  const stopping = new AbortController()
  const report = (error: unknown): void => onError(error, 'purging deleted workspaces')

  async function purgeOne(workspaceId: string): Promise<void> {
    const size = { rows: batchRows }
    while (await runFitting(size, async (rows) => await purgeSome(workspaceId, rows)));
  }

  /** Returns whether rows may be left that this process can remove. */
  async function purgeSome(workspaceId: string, rows: number): Promise<boolean> {
    if (stopping.signal.aborted) return false
    return await db.tx(async (tx) => {
      const locked = await tx.row<{ settled: boolean }>('workspaces/lock-to-purge', [workspaceId, settleMs])
      // Another process is purging it.
      if (locked === null) return false
      const batch = await tx.row<{ removed: number }>('workspaces/purge-batch', [workspaceId, rows])
      if ((batch?.removed ?? 0) > 0) return true
      if (locked.settled) await tx.run('workspaces/finish-purge', [workspaceId])
      return false
    })
  }

  /** Returns false on an error, which it reports. The workspace is retried in the next pass, and the following ones do not wait for it. */
  async function tryPurge(workspaceId: string): Promise<boolean> {
    try {
      await purgeOne(workspaceId)
      return true
    } catch (error) {
      report(error)
      return false
    }
  }

  /** Returns an empty page while stopping. */
  const readPage = async (after: string | null): Promise<{ id: string }[]> =>
    stopping.signal.aborted ? [] : await db.rows<{ id: string }>('workspaces/list-to-purge', [after])

  async function purgeAll(): Promise<void> {
    let found = 0
    let failed = 0
    for (let page = await readPage(null); page.length > 0; page = await readPage(page.at(-1)?.id ?? null)) {
      found += page.length
      for (const { id } of page) if (!(await tryPurge(id))) failed += 1
    }
    if (failed === 0) options.onPassed?.(found)
  }

  const loop = openPassLoop({ tickMs, stopping, run: purgeAll, onError: report })
  return { ...loop, wake: () => void loop.pass() }
}
