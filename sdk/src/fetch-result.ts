// SDK. Fetches the stored result for a call that a rule covers, and accepts it only after all checks.

import type { Breaker, KeyBreakers } from './breaker.ts'
import { type Http, Unreachable } from './http.ts'
import type { KeyRing, Sealed } from './key-ring.ts'
import type { Hasher } from './keyed-hash.ts'
import type { Rule } from './rule-book.ts'
import { type ResultHeader, type ResultText, readPlainResult } from './sealed-result.ts'

/** Why there is no stored result to serve. */
export type FetchMiss =
  | 'paused'
  | 'unreachable'
  | 'deadline'
  | 'refused'
  | 'bad_answer'
  | 'not_opened'
  | 'other_call'
  | 'other_content'
  | 'stale'

export type Fetched =
  | { readonly ok: true; readonly result: ResultText; readonly endMs: number; readonly expiresAtMs: number }
  | { readonly ok: false; readonly miss: FetchMiss }

export type Wanted = {
  readonly rule: Rule
  /** The key of the look-up in the service: the call's input hash, or its scope hash under a rule about unread results. */
  readonly hash: string
  /** Maximum age of a result that the tool's owner accepts, in seconds; the rule may require a lower one. */
  readonly freshnessS: number
  /** Unix milliseconds. A result whose execution started at this time or earlier is refused. */
  readonly executedAfterMs: number
  /** Returns the text that the content hash of a result is computed from; null where there is none. */
  readonly contentOf: (result: ResultText) => string | null
}

export type FetchDeps = {
  readonly http: Pick<Http, 'ask'>
  readonly keys: Pick<KeyRing, 'open'>
  readonly hasher: Hasher
  readonly breaker: Breaker
  readonly keyBreakers: KeyBreakers
  /** Unix milliseconds. */
  readonly nowMs: () => number
  readonly deadlineMs: number
  readonly maxResultBytes: number
}

type Stored = Sealed & { readonly cachedAtMs: number; readonly expiresAtMs: number; readonly decisionId: string }

// The largest accepted difference between the clocks of two clients and the service.
const clockSkewMs = 60_000
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

const miss = (why: FetchMiss): Fetched => ({ ok: false, miss: why })

/**
 * Resolves within the deadline, and never rejects because of an answer of the service. Cost: one request, one decryption, one hash.
 */
export async function fetchResult(deps: FetchDeps, wanted: Wanted): Promise<Fetched> {
  if (!deps.breaker.isClosed() || !deps.keyBreakers.isClosed(wanted.rule.decisionId)) return miss('paused')
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Fetched>((resolve) => {
    timer = setTimeout(() => resolve(miss('deadline')), deps.deadlineMs)
  })
  try {
    const fetched = await Promise.race([fetchAndCheck(deps, wanted), deadline])
    if (fetched.ok || !isFailure(fetched.miss)) deps.breaker.answered()
    else deps.breaker.failed()
    return fetched
  } finally {
    clearTimeout(timer)
  }
}

const isFailure = (why: FetchMiss): boolean => why === 'unreachable' || why === 'deadline' || why === 'bad_answer'

async function fetchAndCheck(deps: FetchDeps, wanted: Wanted): Promise<Fetched> {
  const { decisionId } = wanted.rule
  const stored = await ask(deps, wanted)
  if (typeof stored === 'string') return miss(stored)
  const { keyId, contentHash, expiresAtMs } = stored
  const nowMs = deps.nowMs()
  if (nowMs >= expiresAtMs || stored.cachedAtMs > nowMs + clockSkewMs) return miss('stale')
  const bytes = await deps.keys.open(stored)
  const plain = bytes === null ? null : readPlainResult(bytes)
  if (plain === null) {
    deps.keyBreakers.notOpened(decisionId, keyId)
    return miss('not_opened')
  }
  deps.keyBreakers.opened(decisionId, keyId)
  const { header, text } = plain
  if (!isOfCall(header, wanted)) return miss('other_call')
  if (!isInTime(header, wanted, deps.nowMs())) return miss('stale')
  const result = { form: header.form, text }
  const content = wanted.contentOf(result)
  if (content === null || deps.hasher.ofContent(header.tool, content) !== contentHash) return miss('other_content')
  return { ok: true, result, endMs: header.endMs, expiresAtMs }
}

/** Whether the result belongs to the call. The input hash covers the version and the scope of the tool; the scope hash covers its version. */
function isOfCall(header: ResultHeader, { rule, hash }: Wanted): boolean {
  const known = rule.type === 'reuse_identity' ? header.inputHash : header.scopeHash
  return header.tool === rule.toolName && known === hash
}

/** Whether the result is young enough, by the encrypted times, which the service cannot change. */
function isInTime({ startMs, endMs }: ResultHeader, wanted: Wanted, nowMs: number): boolean {
  const ageMs = nowMs - endMs
  if (ageMs < -clockSkewMs || ageMs >= Math.min(wanted.rule.freshnessS, wanted.freshnessS) * 1_000) return false
  return startMs > Math.max(wanted.rule.executedAfterMs, wanted.executedAfterMs)
}

async function ask(deps: FetchDeps, { rule, hash }: Wanted): Promise<Stored | FetchMiss> {
  const name = rule.type === 'reuse_identity' ? 'input_hash' : 'scope_hash'
  const query = new URLSearchParams({ decision_id: rule.decisionId, [name]: hash })
  try {
    const { status, body } = await deps.http.ask({
      method: 'GET',
      path: `/v1/apply/tool-result?${query.toString()}`,
      headers: { accept: 'application/json' },
      timeoutMs: deps.deadlineMs,
      // Base64 needs 4 characters for 3 bytes; the 4,096 bytes are for the rest of the answer.
      maxBytes: Math.ceil(deps.maxResultBytes * 1.34) + 4_096,
      background: false,
    })
    if (status === 404) return 'refused'
    if (status !== 200) return 'bad_answer'
    const stored = readStored(body.toString())
    return stored === null || stored.decisionId.toLowerCase() !== rule.decisionId.toLowerCase() ? 'bad_answer' : stored
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return error.code === 'timeout' ? 'deadline' : 'unreachable'
  }
}

function readStored(body: string): Stored | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const given = parsed as Record<string, unknown>
  const text = (name: string): string | undefined => (typeof given[name] === 'string' ? given[name] : undefined)
  const [contentHash, keyId, decisionId] = [text('content_hash'), text('key_id'), text('decision_id')]
  const [ciphertext, iv, tag] = [text('ciphertext_b64'), text('iv_b64'), text('tag_b64')]
  if (contentHash === undefined || keyId === undefined || decisionId === undefined) return null
  if (ciphertext === undefined || iv === undefined || tag === undefined) return null
  if (![ciphertext, iv, tag].every((part) => base64.test(part))) return null
  const [cachedAtMs, expiresAtMs] = [Date.parse(text('cached_at') ?? ''), Date.parse(text('expires_at') ?? '')]
  if (Number.isNaN(cachedAtMs) || Number.isNaN(expiresAtMs)) return null
  return { keyId, contentHash, ciphertext, iv, tag, cachedAtMs, expiresAtMs, decisionId }
}
