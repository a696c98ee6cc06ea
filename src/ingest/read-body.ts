// The raw body of an ingest request: bounded a request and over all requests, of which those of the largest sender give way.
import type { Context } from 'koa'
import type { ByteBudget } from '../base/byte-budget.ts'
import { Outage } from '../base/fault.ts'
import { freeBuffer } from '../base/free-buffer.ts'
import { sliceBytes, yieldTurn } from '../base/in-slices.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'

/** `giveBack` returns its bytes to the budget. */
type Body = { readonly bytes: Uint8Array; readonly giveBack: () => void }

/**
 * Reads the body, at most `maxBytes` of it. The bytes stay taken from the budget until the caller gives them back. `too_large`: refused by
 * its declared length before reading, or at the cap. `cut_off`: the client went away. Throws Outage where the budget has no room, or gives
 * what was taken so far to another owner; nothing stays taken then.
 */
export async function readBody(
  ctx: Context,
  maxBytes: number,
  { budget, owner }: { readonly budget: ByteBudget; readonly owner: string },
): Promise<Outcome<Body, 'too_large' | 'cut_off'>> {
  const declared = Number(ctx.get('content-length') || 0)
  if (declared > maxBytes) return refuse('too_large')
  if (/100-continue/i.test(ctx.get('expect'))) ctx.res.writeContinue()

  const gaveWay = Promise.withResolvers<never>()
  // It may be rejected while nobody waits for it: the next take tells of it too.
  gaveWay.promise.catch(() => undefined)
  const hold = budget.open(owner, () => gaveWay.reject(makeFullError()))
  // What is not read here is read for nothing behind the answer, which the client might never see otherwise.
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
      // What is left of the body is not read: the next request on this connection would wait behind it until it times out.
      ctx.set('Connection', 'close')
      // Not waited for: it ends behind a chunk that may never come.
      void body.return?.()
      throw error
    }
    // The socket broke or timed out: there is nobody to answer, and nothing was stored.
    return refuse('cut_off')
  }
  hold.keep()
  return ok({ bytes: await joinChunks(chunks, bytes), giveBack: hold.give })
}

const makeFullError = (): Outage => new Outage('the limit of bytes being received is reached')

/** In a buffer of its own, so that it can move to a decode thread. Other requests have their turns while a large one is copied. */
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
