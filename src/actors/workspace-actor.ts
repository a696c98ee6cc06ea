// The operations that the owner of a workspace carries out. The mailbox passes one message at a time, so no locks are needed here.
import { isCount, type OwnerReply } from './envelope.ts'
import { makeQuotaView, type QuotaFacts } from './quota-view.ts'
import { decodeRulesQuestion, encodeRulesAnswer, type RulesText } from './rules-message.ts'

export type ActorDeps = {
  /** Returns null if the workspace does not exist any more. Throws Outage. */
  readonly readQuota: (workspaceId: string) => Promise<QuotaFacts | null>
  /** Returns `same` if the version is still `ifVersion`, null if the workspace does not exist any more. Throws Outage. */
  readonly readRules: (workspaceId: string, ifVersion: string | null) => Promise<RulesText | 'same' | null>
  readonly nowMs: () => number
}

export type WorkspaceActor = {
  /** Throws Outage and Busy. A malformed body or an unknown operation gets the reply `bad_request`. */
  handle(operation: string, body: unknown): Promise<OwnerReply>
  /** The plan, quota or usage of the workspace has changed elsewhere: read it again before the next grant. */
  doubtQuota(): void
}

const minReloadIntervalMs = 1_000
const maxSpans = 1_000_000
const maxKeyCharacters = 128

export function makeWorkspaceActor(deps: ActorDeps, workspaceId: string): WorkspaceActor {
  const view = makeQuotaView()
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let doubts = 0

  /** Returns false if the workspace does not exist any more. */
  async function load(): Promise<boolean> {
    // The time to the end of the month counts from the start of the read, since the read itself takes time.
    const startedAtMs = deps.nowMs()
    const doubtsBefore = doubts
    const facts = await deps.readQuota(workspaceId)
    loadedAtMs = startedAtMs
    if (facts === null) return false
    view.load(facts, startedAtMs)
    // A notice arrived during the read, which may have missed the change.
    if (doubts !== doubtsBefore) view.invalidate()
    return true
  }

  async function reserve(batchKey: string, spans: number): Promise<OwnerReply> {
    const nowMs = deps.nowMs()
    // Read the database before a batch loses spans, since its count may be lower than the view's; but at most once a second.
    const mayAsk = nowMs - loadedAtMs >= minReloadIntervalMs
    if (view.isStale(nowMs) || (mayAsk && view.isShort(batchKey, spans))) {
      if (!(await load())) return { ok: false, code: 'unknown_workspace' }
    }
    return { ok: true, body: { granted: view.reserve(batchKey, spans, deps.nowMs()) } }
  }

  async function readSnapshot(ifVersion: string | null): Promise<OwnerReply> {
    const rules = await deps.readRules(workspaceId, ifVersion)
    if (rules === null) return { ok: false, code: 'unknown_workspace' }
    return { ok: true, body: encodeRulesAnswer(rules) }
  }

  return {
    async handle(operation, body) {
      const record = asRecord(body)
      const { batchKey, spans, inserted } = record
      if (operation === 'reserve' && isKey(batchKey) && isSpanCount(spans)) return await reserve(batchKey, spans)
      if (operation === 'settle' && isKey(batchKey) && isSpanCount(inserted)) {
        view.settle(batchKey, inserted, deps.nowMs())
        return { ok: true, body: {} }
      }
      const ifVersion = operation === 'snapshot' ? decodeRulesQuestion(record) : undefined
      return ifVersion === undefined ? { ok: false, code: 'bad_request' } : await readSnapshot(ifVersion)
    },
    doubtQuota() {
      doubts += 1
      view.invalidate()
    },
  }
}

const asRecord = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxKeyCharacters

const isSpanCount = (value: unknown): value is number => isCount(value) && value <= maxSpans
