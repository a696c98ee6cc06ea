// The bodies of complete requests that wait for a decode thread, where the memory for bodies is full.
import test from 'ava'
import { makeByteBudget } from '../../src/base/byte-budget.ts'
import type { Ingest, IngestRequest } from '../../src/ingest/ingest-request.ts'
import { makeIngestRoutes } from '../../src/ingest/routes.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { rejectAll } from '../../src/web/authenticate.ts'
import { openRateLimit } from '../../src/web/rate-limit.ts'
import { serve } from '../../src/web/server.ts'
import { until } from '../_kit/until.ts'

const maxBytes = 1_000

/** Serves the route over an ingest whose requests wait until they are cut, and keep their bodies if `keeps` is set. Keys are workspaces. */
async function openRoute(keeps: boolean) {
  const waiting: IngestRequest[] = []
  const ingest: Ingest = async (request) => {
    if (request.workspaceId === 'small') return { ok: false, code: 'undecodable', detail: 'taken' }
    if (keeps) request.hold?.keep()
    waiting.push(request)
    return await new Promise((_done, fail) => {
      request.hold?.cut.addEventListener('abort', () => fail(request.hold?.cut.reason as Error))
    })
  }
  const budget = makeByteBudget(maxBytes)
  const stopped = new AbortController()
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes: makeIngestRoutes({
      limits: defaultIngestLimits,
      budget,
      rateLimit: openRateLimit(100),
      ingest,
      onRefused: () => undefined,
    }),
    authenticator: { ...rejectAll, key: async (token) => ({ keyId: token, workspaceId: token }) },
    maxJsonBodyBytes: maxBytes,
    trustedProxies: 0,
    onRequest: () => undefined,
  })
  const send = async (workspaceId: string, bytes: number): Promise<number> => {
    const headers = { authorization: `Bearer ${workspaceId}`, 'content-type': 'application/x-protobuf' }
    const sent = { method: 'POST', headers, body: new Uint8Array(bytes), signal: stopped.signal }
    return (await fetch(`http://127.0.0.1:${server.port}/v1/otlp/v1/traces`, sent)).status
  }
  const stop = async (): Promise<void> => {
    stopped.abort()
    await server.stop(0)
  }
  return { send, waiting, taken: budget.taken, stop }
}

test('the newest waiting body of the workspace with most bytes is refused for a body of another one', async (t) => {
  const { send, waiting, taken, stop } = await openRoute(false)
  const older = send('large', 500)
  older.catch(() => undefined)
  await until(() => waiting.length === 1)
  const newer = send('large', 500)
  await until(() => waiting.length === 2)
  t.is(taken(), maxBytes)
  t.is(await send('large', 1), 503)
  t.is(await send('small', 10), 400)
  t.is(await newer, 503)
  t.is(taken(), 500)
  t.false(waiting[0]?.hold?.cut.aborted)
  await stop()
})

test('the control: a body that is being decoded is not refused', async (t) => {
  const { send, waiting, taken, stop } = await openRoute(true)
  const large = send('large', maxBytes)
  large.catch(() => undefined)
  await until(() => waiting.length === 1)
  t.is(await send('small', 10), 503)
  t.is(taken(), maxBytes)
  await stop()
})
