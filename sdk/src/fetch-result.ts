// SDK. The stored result of a matched rule, believed only after everything about it has been checked.

import type { Breaker } from './breaker.ts'
import { canonicalText } from './canonical-json.ts'
import { type Http, Unreachable } from './http.ts'
import type { KeyRing, Sealed } from './key-ring.ts'
import type { Hasher } from './keyed-hash.ts'
import type { Rule } from './rule-book.ts'
import { type PlainResult, readPlainResult } from './sealed-result.ts'

/** Why the real tool has to run. */
export type Miss =
  | 'paused'
  | 'unreachable'
  | 'deadline'
  | 'refused'
  | 'bad_answer'
  | 'not_opened'
  | 'other_call'
  | 'other_content'
  | 'stale'

export type Fetched = { readonly ok: true; readonly result: PlainResult } | { readonly ok: false; readonly miss: Miss }

export type FetchDeps = {
  readonly http: Pick<Http, 'ask'>
  readonly keys: Pick<KeyRing, 'open'>
  readonly hasher: Hasher
  readonly breaker: Breaker
  /** Unix milliseconds. */
  readonly nowMs: () => number
  readonly deadlineMs: number
  readonly maxResultBytes: number
}

type Stored = Sealed & { readonly cachedAtMs: number; readonly expiresAtMs: number; readonly decisionId: string }

// Of the clocks of two clients and the service.
const clockSkewMs = 60_000
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

const miss = (why: Miss): Fetched => ({ ok: false, miss: why })

/**
 * Never throws for anything that the service can answer, and resolves within the deadline. `freshnessS`: the oldest result
 * that the tool's owner takes; the rule may ask for a younger one. Cost: one request, one decryption, one hash.
 */
export async function fetchResult(
  deps: FetchDeps,
  rule: Rule,
  inputHash: string | null,
  freshnessS: number,
): Promise<Fetched> {
  if (!deps.breaker.isClosed()) return miss('paused')
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Fetched>((resolve) => {
    timer = setTimeout(() => resolve(miss('deadline')), deps.deadlineMs)
  })
  try {
    const fetched = await Promise.race([fetchAndCheck(deps, rule, inputHash, freshnessS), deadline])
    if (fetched.ok || !isFailure(fetched.miss)) deps.breaker.answered()
    else deps.breaker.failed()
    return fetched
  } finally {
    clearTimeout(timer)
  }
}

const isFailure = (why: Miss): boolean => why === 'unreachable' || why === 'deadline' || why === 'bad_answer'

async function fetchAndCheck(
  deps: FetchDeps,
  rule: Rule,
  inputHash: string | null,
  freshnessS: number,
): Promise<Fetched> {
  const stored = await ask(deps, rule)
  if (typeof stored === 'string') return miss(stored)
  const nowMs = deps.nowMs()
  if (nowMs >= stored.expiresAtMs || stored.cachedAtMs > nowMs + clockSkewMs) return miss('stale')
  const bytes = await deps.keys.open(stored)
  if (bytes === null) return miss('not_opened')
  const result = readPlainResult(bytes)
  if (result === null) return miss('not_opened')
  const { header, text } = result
  if (header.tool !== rule.toolName) return miss('other_call')
  if (rule.type === 'reuse_identity' && (inputHash === null || header.inputHash !== inputHash))
    return miss('other_call')
  // The age by what was encrypted, which the service cannot change.
  const ageMs = deps.nowMs() - header.endMs
  if (ageMs < -clockSkewMs || ageMs >= Math.min(rule.freshnessS, freshnessS) * 1_000) return miss('stale')
  const content = contentOf(result)
  if (content === null || deps.hasher.ofContent(header.tool, content) !== stored.contentHash)
    return miss('other_content')
  return { ok: true, result: { header, text } }
}

/** The text that the content hash is of: the canonical form of a JSON result, so that the order of keys makes no difference. */
function contentOf({ header, text }: PlainResult): string | null {
  if (header.form === 'text') return text
  try {
    return canonicalText(JSON.parse(text), Number.POSITIVE_INFINITY)
  } catch {
    return null
  }
}

async function ask(deps: FetchDeps, rule: Rule): Promise<Stored | Miss> {
  const query = new URLSearchParams({ decision_id: rule.decisionId })
  if (rule.inputHash !== null) query.set('input_hash', rule.inputHash)
  try {
    const { status, body } = await deps.http.ask({
      method: 'GET',
      path: `/v1/apply/tool-result?${query.toString()}`,
      headers: { accept: 'application/json' },
      timeoutMs: deps.deadlineMs,
      // Base64, and the rest of the answer.
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
