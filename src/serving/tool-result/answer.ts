// The two responses of GET /v1/apply/tool-result as the bytes and headers that are sent: a result, or the only refusal.
import { notFound } from '../../web/refuse.ts'
import type { StoredResult } from './find-result.ts'
import type { ResultRule } from './rule-book.ts'

/** The headers are in the order in which the service writes those of any other response. */
export type ToolResultAnswer = {
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  /** The headers as the list that writeHead takes without further work. */
  readonly flatHeaders: readonly string[]
  readonly body: Buffer
}

function makeAnswer(status: ToolResultAnswer['status'], value: object): ToolResultAnswer {
  const body = Buffer.from(JSON.stringify(value))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
  }
  return { status, headers, flatHeaders: Object.entries(headers).flat(), body }
}

/** The response to every refusal, regardless of its reason. */
export const refusal: ToolResultAnswer = makeAnswer(404, { detail: notFound.detail })

export function makeResultAnswer({ decisionId, freshnessS }: ResultRule, result: StoredResult): ToolResultAnswer {
  const endMs = result.endUs / 1_000
  return makeAnswer(200, {
    content_hash: result.contentHash,
    ciphertext_b64: result.ciphertext.toString('base64'),
    iv_b64: result.iv.toString('base64'),
    tag_b64: result.tag.toString('base64'),
    key_id: result.keyId,
    cached_at: new Date(endMs).toISOString(),
    expires_at: new Date(endMs + freshnessS * 1_000).toISOString(),
    decision_id: decisionId,
  })
}
