// Floor 3. The raw body of an ingest request: bounded a request and over all requests.
import type { Context } from 'koa'
import type { ByteBudget } from '../base/byte-budget.ts'
import { Outage } from '../base/fault.ts'
import { freeBuffer } from '../base/free-buffer.ts'
import { sliceBytes, yieldTurn } from '../base/in-slices.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'

/**
 * Reads the body, at most `maxBytes` of it. The bytes stay taken from the budget until the caller gives them back
 * (`heldBytes`). `too_large`: refused by its declared length before reading, or at the cap. `cut_off`: the client went away.
 * Throws Outage where the budget has no room; nothing stays taken then.
 */
export async function readBody(
  ctx: Context,
  maxBytes: number,
  budget: ByteBudget,
): Promise<Outcome<Uint8Array, 'too_large' | 'cut_off'>> {
  const declared = Number(ctx.get('content-length') || 0)
  if (declared > maxBytes) return refuse('too_large')
  if (/100-continue/i.test(ctx.get('expect'))) ctx.res.writeContinue()

  const chunks: Uint8Array[] = []
  let bytes = 0
  const fail = (): void => budget.give(bytes)
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > maxBytes) {
        fail()
        return refuse('too_large')
      }
      if (!budget.take(chunk.length)) {
        fail()
        throw new Outage('the limit of bytes being received is reached')
      }
      bytes += chunk.length
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Outage) {
      // What is left of the body is not read: the next request on this connection would wait behind it until it times out.
      ctx.set('Connection', 'close')
      throw error
    }
    // The socket broke or timed out: there is nobody to answer, and nothing was stored.
    fail()
    return refuse('cut_off')
  }
  return ok(await joinChunks(chunks, bytes))
}

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
