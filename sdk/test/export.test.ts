import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { exportResponseType } from '../../src/otlp/protobuf/schema.ts'
import { until } from '../../test/_kit/until.ts'
import type { Tracewright } from '../src/tracewright.ts'
import { makeClient } from './_client.ts'
import { deadUrl, type FakeService, startFakeService } from './_service.ts'

async function open(t: ExecutionContext): Promise<{ service: FakeService; client: Tracewright }> {
  const service = await startFakeService()
  const client = makeClient(service.url)
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  return { service, client }
}

const call = async (client: Tracewright): Promise<unknown> => await client.tool('tool', async (n: number) => n)(1)
const posts = (service: FakeService): number => service.requests.filter((request) => request.startsWith('POST')).length

for (const status of [429, 502, 503, 504]) {
  test(`spans answered with ${status} are sent again, after as long as Retry-After says`, async (t) => {
    const { service, client } = await open(t)
    const times: number[] = []
    service.answer('traces', (request, response) => {
      times.push(performance.now())
      request.resume().once('end', () => {
        service.answer('traces', null)
        response.writeHead(status, { 'retry-after': '1' }).end()
      })
    })
    await call(client)
    const spans = await service.received('execute_tool tool')
    t.true(performance.now() - (times[0] ?? 0) >= 990)
    t.is(posts(service), 2)
    t.is(spans.length, 1)
    t.is(client.stats().droppedSpans, 0)
  })
}

for (const status of [302, 408, 500, 501, 520, 530]) {
  test(`spans answered with ${status} are sent again`, async (t) => {
    const { service, client } = await open(t)
    service.answer('traces', (request, response) => {
      service.answer('traces', null)
      request.resume().once('end', () => response.writeHead(status, { location: '/elsewhere' }).end())
    })
    await call(client)
    t.true(await client.flush())
    t.is((await service.received('execute_tool tool')).length, 1)
    t.deepEqual([posts(service), client.stats().droppedSpans], [2, 0])
    t.false(
      service.requests.some((request) => request.includes('elsewhere')),
      'no redirect is followed',
    )
  })
}

test('spans whose connection broke are sent again', async (t) => {
  const { service, client } = await open(t)
  service.answer('traces', (request) => {
    service.answer('traces', null)
    request.socket.destroy()
  })
  await call(client)
  t.is((await service.received('execute_tool tool')).length, 1)
})

for (const status of [400, 401, 413]) {
  test(`spans answered with ${status} are dropped and counted, and later ones sent`, async (t) => {
    const { service, client } = await open(t)
    service.answer('traces', (request, response) => {
      request.resume().once('end', () => response.writeHead(status).end())
    })
    await call(client)
    await until(() => client.stats().droppedSpans === 1)
    t.false(await client.flush())
    service.answer('traces', null)
    await call(client)
    t.true(await client.flush())
    t.is((await service.received('execute_tool tool')).length, 1)
  })
}

test('spans that the service rejects are counted', async (t) => {
  const { service, client } = await open(t)
  const body = exportResponseType.encode({ partialSuccess: { rejectedSpans: 1, errorMessage: 'no' } }).finish()
  service.answer('traces', (request, response) => {
    const headers = { 'content-type': 'application/x-protobuf' }
    request.resume().once('end', () => response.writeHead(200, headers).end(body))
  })
  await call(client)
  await until(() => client.stats().rejectedSpans === 1)
  t.is(client.stats().droppedSpans, 0)
})

test('spans are sent again if another server answers with success', async (t) => {
  const { service, client } = await open(t)
  service.answer('traces', (request, response) => {
    service.answer('traces', null)
    const headers = { 'content-type': 'text/html' }
    request.resume().once('end', () => response.writeHead(200, headers).end('<html>'))
  })
  await call(client)
  t.is((await service.received('execute_tool tool')).length, 1)
  t.is(client.stats().droppedSpans, 0)
})

test('spans go out as compressed protobuf, by the key of the workspace', async (t) => {
  const { service, client } = await open(t)
  await call(client)
  await service.received('execute_tool tool')
  const at = service.requests.indexOf('POST /v1/otlp/v1/traces')
  t.like(service.headers[at], {
    authorization: 'Bearer tw_sk_test',
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
  })
})

type Left = { readonly code: number | null; readonly lingeredMs: number }
type Leaving = { readonly when?: 'now' | 'late'; readonly before?: () => Promise<void> }

/** Runs a program that ends without a word to its client, once `before` has resolved. */
async function leave(url: string, flushTimeoutMs: number, { when = 'now', before }: Leaving = {}): Promise<Left> {
  const script = fileURLToPath(new URL('_exit.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, url, String(flushTimeoutMs), when],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  let written = ''
  child.stdout.on('data', (data: Buffer) => {
    written += data.toString()
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const closed = new Promise<number | null>((done) => child.once('close', done))
  await before?.()
  child.stdin.end()
  const code = await closed
  clearTimeout(killer)
  return { code, lingeredMs: Number(/lingered ([\d.-]+) ms/.exec(written)?.[1]) }
}

test('a process that ends sends its queued spans, and the poll for rules does not keep it alive', async (t) => {
  const { service, client } = await open(t)
  await client.shutdown()
  const before = async (): Promise<void> => await until(() => service.waitingPolls() === 1)
  const { code, lingeredMs } = await leave(service.url, 60_000, { before })
  t.is(code, 0)
  // A poll would keep it alive for 35 s. This process, which may stand still too, answers its spans.
  t.true(lingeredMs < 20_000)
  t.is(service.spans.filter(({ name }) => name === 'execute_tool last').length, 1)
  t.true('tracewright.tool.ciphertext' in (service.spans.at(-1)?.attributes ?? {}))
})

test('spans of work that begins only when the process would end are sent', async (t) => {
  const { service } = await open(t)
  const { code } = await leave(service.url, 60_000, { when: 'late' })
  t.is(code, 0)
  t.is(service.spans.filter(({ name }) => name === 'execute_tool last').length, 1)
})

test('all clients of a process share one listener for its end', async (t) => {
  const { service } = await open(t)
  const count = (): number => process.listenerCount('beforeExit')
  const before = count()
  const clients = Array.from({ length: 12 }, () => makeClient(service.url))
  t.is(count(), before)
  await Promise.all(clients.map((client) => client.shutdown()))
  t.is(count(), before)
})

test('a service that does not answer or does not exist delays the end of a process by no more than the configured time', async (t) => {
  const { service } = await open(t)
  service.answer('traces', () => undefined)
  for (const url of [service.url, deadUrl]) {
    const { code, lingeredMs } = await leave(url, 300)
    t.is(code, 0)
    t.true(lingeredMs < 3_000)
  }
})
