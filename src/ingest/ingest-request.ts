// Ingests a request after its body has been received: decodes it in a thread, reserves quota and commits it.

import { Outage } from '../base/fault.ts'
import { makeRepeatedBatch } from '../decode/batch-writer.ts'
import type { IngestLimits } from '../otlp/intake/limits.ts'
import { countRejection, openTally, type RejectionTally } from '../otlp/intake/rejection-tally.ts'
import { notStorable } from '../otlp/reject.ts'
import { isConflict } from '../store/sqlstate.ts'
import type { BodyHold, DecodePool } from '../threads/decode-pool.ts'
import type { Batch, BatchOutcome } from './batch.ts'
import type { GroupCommit } from './group-commit.ts'
import { listRejections } from './list-rejections.ts'
import { digestRequest, openRecentRequests, type RecentRequest } from './recent-requests.ts'
import type { WorkspaceFactsBook } from './workspace-facts.ts'

export type IngestDeps = {
  readonly limits: IngestLimits
  /** Unix milliseconds, to which the starts of spans are compared. */
  readonly nowMs?: () => number
  readonly facts: WorkspaceFactsBook
  readonly pool: Pick<DecodePool, 'decode'>
  readonly store: Pick<GroupCommit, 'store'>
  /** Asks the workspace's actor how many of the new spans it grants. Null: unlimited, or the actor was not reached. */
  readonly reserve: (workspaceId: string, batchKey: string, spans: number) => Promise<number | null>
  /** Called after the commit. */
  readonly onStored: (stored: { workspaceId: string; batchKey: string; outcome: BatchOutcome }) => void
  /**
   * Called after a commit with spans that other processes may not know of. They may all be duplicates: the answer to the commit that stored
   * them may have been lost. `results`: subjects of tool results that may have been stored with it; null: of any. `contradicted`: see
   * `DecodeResult`.
   */
  readonly onNews: (news: {
    workspaceId: string
    stored: number
    results: readonly number[] | null
    contradicted: readonly string[]
  }) => void
  readonly onDecoded: (decoded: {
    received: number
    rejections: RejectionTally
    bugs: readonly string[]
    withheldSpans: number
    durationMs: number
  }) => void
}

export type IngestRequest = {
  readonly body: Uint8Array
  readonly encoding: 'protobuf' | 'json'
  readonly gzip: boolean
  readonly workspaceId: string
  /** Absent: the body counts against no budget. Kept or cut before the decoding begins, and released when it ends. */
  readonly hold?: BodyHold
}

export type IngestResult =
  | {
      readonly ok: true
      readonly rejections: RejectionTally
      readonly outcome: BatchOutcome
      /** Number of spans with partly withheld content, as in `DecodeResult`. */
      readonly withheldSpans: number
    }
  | {
      readonly ok: false
      readonly code: 'undecodable' | 'too_large' | 'too_many_spans' | 'workspace_gone'
      readonly detail: string
    }

/** Resolves after the commit. Throws Outage if the same request should be sent again. */
export type Ingest = (request: IngestRequest) => Promise<IngestResult>

export function makeIngest(deps: IngestDeps): Ingest {
  const { nowMs = Date.now } = deps
  const recent = openRecentRequests()

  async function store(batch: Batch): Promise<BatchOutcome> {
    try {
      return await deps.store.store(batch)
    } catch (error) {
      if (mayHaveLost(error)) recent.forget()
      throw error
    }
  }

  /**
   * Handles a request that was stored before, without decoding it: its spans are only counted as duplicates. Returns null if a replica that
   * may lack these spans has taken over since they were stored.
   */
  async function takeAgain(
    workspaceId: string,
    eventQuota: number | null,
    { spans, withheldSpans, timeline }: RecentRequest,
  ): Promise<IngestResult | null> {
    const batch = makeRepeatedBatch(spans)
    const outcome = await store({
      ...batch,
      workspaceId,
      rejections: [],
      eventQuota,
      agentCap: null,
      granted: null,
      storedOn: timeline,
    })
    if (outcome.workspaceGone) return workspaceGone
    if (outcome.duplicate < spans) {
      recent.forget()
      return null
    }
    deps.onStored({ workspaceId, batchKey: '', outcome })
    return { ok: true, rejections: openTally(), outcome, withheldSpans }
  }

  return async (request) => {
    const { workspaceId } = request
    const facts = await deps.facts.read(workspaceId)
    if (facts === null) return workspaceGone
    // The digest is computed before the body moves to the thread.
    const digest = await digestRequest(request)
    const known = recent.find(digest)
    // The memory of the body is not free while the commit runs.
    if (known !== null) request.hold?.keep()
    const again = known === null ? null : await takeAgain(workspaceId, facts.plan.eventQuota, known)
    if (again !== null) return again
    const task = {
      body: request.body,
      encoding: request.encoding,
      gzip: request.gzip,
      nowMs: nowMs(),
      limits: deps.limits,
      workspaceId,
      contentMode: facts.contentMode,
      redactionSecret: facts.redactionSecret,
      prices: facts.prices,
    }
    const decoded = await deps.pool.decode(task, request.hold)
    // The thread has freed the body. The rows that wait for the database have a limit of their own.
    request.hold?.release()
    if (!decoded.ok) return decoded
    deps.onDecoded(decoded)
    const { eventQuota, agentCap } = facts.plan
    // The key of the grant: a request that is sent again uses the same key.
    const batchKey = eventQuota === null ? '' : digest
    const rows = decoded.offsets.length - 1
    const outcome = await store({
      ...decoded,
      workspaceId,
      rejections: listRejections(decoded.rejections),
      eventQuota,
      agentCap,
      granted: eventQuota === null ? null : await deps.reserve(workspaceId, batchKey, rows),
    })
    if (outcome.workspaceGone) return workspaceGone
    const { resultSubjects: results, contradicted, withheldSpans } = decoded
    deps.onStored({ workspaceId, batchKey, outcome })
    const all = outcome.stored + outcome.duplicate
    if (all > 0) deps.onNews({ workspaceId, stored: outcome.stored, results, contradicted })
    const { timeline } = outcome
    if (timeline !== null && decoded.rejections.total === 0 && all === rows + decoded.repeats)
      recent.add(workspaceId, digest, { spans: all, withheldSpans, timeline })
    if (outcome.notStorable > 0) countRejection(decoded.rejections, notStorable, outcome.notStorable)
    return { ok: true, rejections: decoded.rejections, outcome, withheldSpans }
  }
}

/**
 * Whether commits before the error may be lost: the database may have failed. A limit of our own, and a conflict that a running server
 * reports, concern only the batch; any workspace can cause them.
 */
function mayHaveLost(error: unknown): boolean {
  const isOfBatch = error instanceof Outage && (error.kind === 'limit' || isConflict(error.cause))
  return !isOfBatch
}

const workspaceGone = { ok: false, code: 'workspace_gone', detail: 'the workspace is deleted' } as const
