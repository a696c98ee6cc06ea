// Reads the raw body of an ingest request, within a limit per request and a byte budget shared by all requests.
import type { Context } from 'koa'
import type { ByteBudget } from '../base/byte-budget.ts'
import { Outage } from '../base/fault.ts'
import { freeBuffer } from '../base/free-buffer.ts'
import { sliceBytes, yieldTurn } from '../base/in-slices.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { BodyHold } from '../threads/decode-pool.ts'

type Body = { readonly bytes: Uint8Array; readonly hold: BodyHold }

/**
 * Reads the body, at most `maxBytes` of it. The bytes stay reserved in the budget until the caller calls `release`, or until the hold is
 * cut, which the caller prevents with `keep`. Refuses with `too_large` if the declared length or the bytes read exceed `maxBytes`, and with
 * `cut_off` if the client disconnected. Throws Outage if the budget has no room, or if it reassigns the bytes reserved so far to another
 * owner; then nothing stays reserved.
 */
export async function readBody(
  ctx: Context,
  maxBytes: number,
  { budget, owner }: { readonly budget: ByteBudget; readonly owner: string },
): Promise<Outcome<Body, 'too_large' | 'cut_off'>> {
  const declared = Number(ctx.get('content-length') || 0)
  if (declared > maxBytes) return refuse('too_large')
  if (/100-continue/i.test(ctx.get('expect'))) ctx.res.writeContinue()

  const cut = new AbortController()
  const gaveWay = Promise.withResolvers<never>()
  // The promise may be rejected while nothing awaits it; the next `hold.take` fails then, too.
  gaveWay.promise.catch(() => undefined)
  const hold = budget.open(owner, () => {
    cut.abort(makeFullError())
    gaveWay.reject(cut.signal.reason)
  })
  // The rest of a refused body is discarded after the answer; if the stream were destroyed, the client might never see the answer.
  const body = ctx.req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const next = await Promise.race([body.next(), gaveWay.promise])
      if (next.done === true) break
      bytes += next.value.length
      if (bytes > maxBytes) {
        hold.give()
        await body.return?.()
        return refuse('too_large')
      }
      if (!hold.take(next.value.length)) throw makeFullError()
      chunks.push(next.value)
    }
  } catch (error) {
    hold.give()
    if (error instanceof Outage) {
      // Not awaited: it resolves only after a chunk that may never arrive.
      void body.return?.()
      throw error
    }
    // The socket broke or timed out: no client can receive an answer, and nothing was stored.
    return refuse('cut_off')
  }
  const joined = await joinChunks(chunks, bytes).catch((error: unknown) => {
    hold.give()
    throw error
  })
  return ok({ bytes: joined, hold: { cut: cut.signal, keep: hold.keep, release: hold.give } })
}

const makeFullError = (): Outage => new Outage('limit', 'the limit for the bytes of all request bodies is reached')

/** Copies the chunks into a buffer of their own, which can move to a decode thread. Yields to other requests while copying a large body. */
async function joinChunks(chunks: readonly Uint8Array[], bytes: number): Promise<Uint8Array> {
  const body = new Uint8Array(bytes)
  let at = 0
  let yieldAt = sliceBytes
  for (const chunk of chunks) {
    if (at >= yieldAt) {
      await yieldTurn()
      yieldAt = at + sliceBytes
    }
    body.set(chunk, at)
    at += chunk.length
    freeBuffer(chunk)
  }
  return body
}
