// POST /v1/otlp/v1/traces: handles a request from its headers to the answer, which is sent after the commit.
import type { Context } from 'koa'
import type { ByteBudget } from '../base/byte-budget.ts'
import type { IngestLimits } from '../otlp/intake/limits.ts'
import { contentTypeOf, encodeExportReply, encodeRpcStatus } from '../otlp/reply/reply.ts'
import type { RateLimit } from '../web/rate-limit.ts'
import { unauthorized, writeRefusal } from '../web/refuse.ts'
import type { ErrorWriter, KeyIdentity, RawRoute } from '../web/route.ts'
import type { Ingest } from './ingest-request.ts'
import { describeIngest } from './openapi.ts'
import { readBody } from './read-body.ts'
import { readAnswerEncoding, readRequestForm } from './request-form.ts'
import { warnOfLosses } from './warn-of-losses.ts'

const tracesPath = '/v1/otlp/v1/traces'

export type IngestRouteDeps = {
  readonly limits: IngestLimits
  /** The budget for the bodies of all requests together, in bytes. */
  readonly budget: ByteBudget
  readonly rateLimit: RateLimit
  readonly ingest: Ingest
  readonly onRefused: (reason: string) => void
}

/**
 * Returns the ingest route. Errors are google.rpc.Status in the request's encoding. A bug is answered with 503: exporters drop data on 500.
 */
export function makeIngestRoutes(deps: IngestRouteDeps): RawRoute[] {
  return [
    {
      kind: 'raw',
      method: 'POST',
      path: tracesPath,
      tag: 'Ingest',
      summary: 'Ingest OTLP traces',
      auth: 'key',
      operation: describeIngest(deps.limits),
      writeError: writeStatus,
      bugIsOutage: true,
      handle: async (ctx, who) => await receive(ctx, who as KeyIdentity, deps),
    },
  ]
}

async function receive(ctx: Context, who: KeyIdentity, deps: IngestRouteDeps): Promise<void> {
  const refuse = (reason: string, status: number, detail: string): void => {
    deps.onRefused(reason)
    writeRefusal(ctx, status, detail, writeStatus)
  }

  const form = readRequestForm(ctx)
  if (!form.ok) return refuse(form.code, 415, unsupported[form.code])
  await deps.rateLimit.consume(who.workspaceId)
  const body = await readBody(ctx, deps.limits.bodyBytes, { budget: deps.budget, owner: who.workspaceId })
  if (!body.ok) {
    if (body.code === 'cut_off') return refuse('cut_off', 400, 'The request ended before its body was complete')
    return refuse(
      'too_large',
      413,
      `The body is larger than ${deps.limits.bodyBytes} bytes; lower the batch size of the exporter`,
    )
  }
  const { bytes, hold } = body.value
  try {
    const taken = await deps.ingest({ ...form.value, body: bytes, hold, workspaceId: who.workspaceId })
    if (!taken.ok) {
      if (taken.code === 'workspace_gone')
        return refuse('workspace_gone', unauthorized.key.status, unauthorized.key.detail)
      return refuse(taken.code, taken.code === 'undecodable' ? 400 : 413, taken.detail)
    }
    ctx.status = 200
    ctx.set('Content-Type', contentTypeOf(form.value.encoding))
    const warning = warnOfLosses({ ...taken.outcome, withheldSpans: taken.withheldSpans })
    ctx.body = encodeExportReply({ rejections: taken.rejections, warning }, form.value.encoding)
  } finally {
    hold.release()
  }
}

const unsupported = {
  wrong_type: 'The content type must be application/x-protobuf or application/json',
  wrong_encoding: 'The content encoding must be gzip or none',
} as const

const writeStatus: ErrorWriter = (ctx, status, detail) => {
  const encoding = readAnswerEncoding(ctx)
  ctx.status = status
  ctx.set('Content-Type', contentTypeOf(encoding))
  ctx.body = encodeRpcStatus(status, detail, encoding)
}
