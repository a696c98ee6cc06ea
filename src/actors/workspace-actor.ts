// What the owner of a workspace does for it. One message at a time (the mailbox sees to that), so nothing here locks.
import type { Reply } from './envelope.ts'
import { makeQuotaView, type QuotaFacts } from './quota-view.ts'
import { decodeRulesQuestion, encodeRulesAnswer, type RulesText } from './rules-message.ts'

export type ActorDeps = {
  /** Null where the workspace is gone. Throws Outage. */
  readonly readQuota: (workspaceId: string) => Promise<QuotaFacts | null>
  /** `same` where the version is still `ifVersion`; null where the workspace is gone. Throws Outage. */
  readonly readRules: (workspaceId: string, ifVersion: string | null) => Promise<RulesText | 'same' | null>
  readonly nowMs: () => number
}

export type WorkspaceActor = {
  /** Throws Outage and Busy; bodies that are none of ours are `bad_request`. */
  handle(operation: string, body: unknown): Promise<Reply>
  /** Its plan, quota or usage has changed elsewhere: read again before the next grant. */
  doubtQuota(): void
}

const minReloadIntervalMs = 1_000
const maxSpans = 1_000_000
const maxKeyCharacters = 128

export function makeWorkspaceActor(deps: ActorDeps, workspaceId: string): WorkspaceActor {
  const view = makeQuotaView()
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let doubts = 0

  /** False where the workspace is gone. */
  async function load(): Promise<boolean> {
    // The month's end counts from here: the read itself takes time.
    const startedAtMs = deps.nowMs()
    const doubtsBefore = doubts
    const facts = await deps.readQuota(workspaceId)
    loadedAtMs = startedAtMs
    if (facts === null) return false
    view.load(facts, startedAtMs)
    // The notice came while the read was under way, which may have missed what it tells of.
    if (doubts !== doubtsBefore) view.doubt()
    return true
  }

  async function reserve(batchKey: string, spans: number): Promise<Reply> {
    const nowMs = deps.nowMs()
    // Before a batch loses spans the database is asked, since its count may be lower than ours; but not for every batch.
    const mayAsk = nowMs - loadedAtMs >= minReloadIntervalMs
    if (view.isStale(nowMs) || (mayAsk && view.isShort(batchKey, spans))) {
      if (!(await load())) return { ok: false, code: 'unknown_workspace' }
    }
    return { ok: true, body: { granted: view.reserve(batchKey, spans, deps.nowMs()) } }
  }

  async function readSnapshot(ifVersion: string | null): Promise<Reply> {
    const rules = await deps.readRules(workspaceId, ifVersion)
    if (rules === null) return { ok: false, code: 'unknown_workspace' }
    return { ok: true, body: encodeRulesAnswer(rules) }
  }

  return {
    async handle(operation, body) {
      const record = asRecord(body)
      const { batchKey, spans, inserted } = record
      if (operation === 'reserve' && isKey(batchKey) && isCount(spans)) return await reserve(batchKey, spans)
      if (operation === 'settle' && isKey(batchKey) && isCount(inserted)) {
        view.settle(batchKey, inserted, deps.nowMs())
        return { ok: true, body: {} }
      }
      const ifVersion = operation === 'snapshot' ? decodeRulesQuestion(record) : undefined
      return ifVersion === undefined ? { ok: false, code: 'bad_request' } : await readSnapshot(ifVersion)
    },
    doubtQuota() {
      doubts += 1
      view.doubt()
    },
  }
}

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxKeyCharacters

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maxSpans
