// The encoding of an ingest request and of its answer, by the request's headers.
import type { Context } from 'koa'
import { type Outcome, ok, refuse } from '../base/outcome.ts'

export type RequestForm = { readonly encoding: 'protobuf' | 'json'; readonly gzip: boolean }

const encodings: ReadonlyMap<string, RequestForm['encoding']> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/protobuf', 'protobuf'],
  ['application/json', 'json'],
])

/** Ignores the parameters of the media type. The supported content encodings are one gzip, and none. */
export function readRequestForm(ctx: Context): Outcome<RequestForm, 'wrong_type' | 'wrong_encoding'> {
  const encoding = encodings.get(readMediaType(ctx))
  if (encoding === undefined) return refuse('wrong_type')
  const contentEncoding = ctx.get('content-encoding').trim().toLowerCase()
  if (contentEncoding === '' || contentEncoding === 'identity') return ok({ encoding, gzip: false })
  return contentEncoding === 'gzip' ? ok({ encoding, gzip: true }) : refuse('wrong_encoding')
}

/** The encoding of the answer: that of the request, or JSON, which a person can read, if the request has no supported one. */
export const readAnswerEncoding = (ctx: Context): RequestForm['encoding'] => encodings.get(readMediaType(ctx)) ?? 'json'

const readMediaType = (ctx: Context): string => (ctx.get('content-type').split(';')[0] ?? '').trim().toLowerCase()
