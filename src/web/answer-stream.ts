// Writes an answer while it is being produced, one part at a time, so that a slow reader costs no more memory than a fast one.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Context } from 'koa'
import { Outage } from '../base/fault.ts'
import { acceptsGzip } from './representation.ts'
import type { RequestFacts, StreamedAnswer } from './route.ts'

// Flush after each part, although larger blocks would compress better: a part tells a client that loses the connection where to resume.
const gzipOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_FINISH }

/**
 * Writes the answer to its end. Errors before the first part are thrown. On a later error, or if the service stops, the connection is cut,
 * which shows the client that the answer is incomplete. A client that disconnects or reads too slowly is not an error.
 */
export async function writeStream(
  ctx: Context,
  contentType: string,
  answer: StreamedAnswer,
  request: RequestFacts,
): Promise<void> {
  const { res } = ctx
  const signal = request.signal()
  const parts = answer.parts[Symbol.asyncIterator]()
  try {
    const first = ctx.method === 'HEAD' ? null : await parts.next()
    const isGzip = acceptsGzip(request.header('accept-encoding'))
    ctx.status = 200
    ctx.set({ ...answer.headers, 'Content-Type': contentType, Vary: 'Accept-Encoding' })
    if (isGzip) ctx.set('Content-Encoding', 'gzip')
    // From here on, Koa writes nothing.
    ctx.respond = false
    if (first === null) {
      res.end()
      return
    }
    ctx.set('Trailer', Object.keys(answer.trailers()).join(', '))
    try {
      await send(res, goOn(first, parts), isGzip, signal)
      res.addTrailers(answer.trailers())
      res.end()
    } catch (error) {
      if (!signal.aborted && !(error instanceof Outage && error.kind === 'limit')) ctx.state['error'] = error
      res.destroy()
    }
  } finally {
    await parts.return?.()
    answer.close()
  }
}

async function send(
  res: ServerResponse,
  parts: AsyncIterable<Buffer>,
  isGzip: boolean,
  signal: AbortSignal,
): Promise<void> {
  const source = Readable.from(parts, { objectMode: false, highWaterMark: 1 })
  // The response is ended by the caller, after the trailers.
  if (isGzip) await pipeline(source, createGzip(gzipOptions), res, { end: false, signal })
  else await pipeline(source, res, { end: false, signal })
}

async function* goOn(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value
}
