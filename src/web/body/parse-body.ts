// Reads and parses the JSON body of a request.
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { describeBadJson, type ValidationItem } from '../validation.ts'
import { inflate } from './inflate.ts'
import { parseJsonBody } from './parse-json-body.ts'

/** The value is undefined if there is no body. 413: the body is too large; its rest is not read. */
export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: 413 }
  | { readonly ok: false; readonly status: 422; readonly items: readonly ValidationItem[] }

const tooLarge: ParsedBody = { ok: false, status: 413 }
const damaged = 'the body could not be read'
const unknownCoding = 'the content encoding must be gzip, deflate, br or none'

const invalid = (text: string): ParsedBody => ({ ok: false, status: 422, items: describeBadJson(text) })

/** Reads at most `maxBytes`, before and after decompression. Calls `weigh` with the size before it parses, and throws what that throws. */
export async function parseBody(
  ctx: Context,
  maxBytes: number,
  weigh: (bytes: number) => Promise<void>,
): Promise<ParsedBody> {
  const faults: ParsedBody[] = []
  const read = koaBody({
    multipart: false,
    urlencoded: false,
    json: false,
    textTypes: ['application/json'],
    textLimit: maxBytes,
    // Read each byte as one character: with UTF-8 the body reader would silently replace invalid bytes.
    encoding: 'binary',
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    onError: (error) => void faults.push((error as { status?: number }).status === 413 ? tooLarge : invalid(damaged)),
  })
  if (/100-continue/i.test(ctx.get('expect'))) {
    if (Number(ctx.get('content-length') || 0) > maxBytes) return tooLarge
    ctx.res.writeContinue()
  }
  const coding = ctx.get('content-encoding') || 'identity'
  // The body reader must not decompress (`inflate`).
  delete ctx.req.headers['content-encoding']
  await read(ctx, () => Promise.resolve())
  const [fault] = faults
  if (fault !== undefined) return fault
  const { body } = ctx.request as { body?: string }
  // The reader returns the empty string for an absent body.
  if (body === undefined || body === '') return { ok: true, value: undefined }
  const inflated = await inflate(Buffer.from(body, 'latin1'), coding, maxBytes)
  if (!inflated.ok) {
    if (inflated.fault === 'too large') return tooLarge
    return invalid(inflated.fault === 'damaged' ? damaged : unknownCoding)
  }
  await weigh(inflated.bytes.byteLength)
  const parsed = parseJsonBody(inflated.bytes)
  return parsed.ok ? parsed : invalid(parsed.fault)
}
