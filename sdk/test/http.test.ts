// Where requests go, and the key with them.
import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { isTracingSuppressed } from '@opentelemetry/core'
import test from 'ava'
import { openHttp } from '../src/http.ts'

const paths: [string, string][] = [
  ['', '/v1/x?y=1'],
  ['/', '/v1/x?y=1'],
  ['/below/', '/below/v1/x?y=1'],
  ['//below', '//below/v1/x?y=1'],
  ['//127.0.0.1:9//', '//127.0.0.1:9/v1/x?y=1'],
]
for (const [path, asked] of paths) {
  test(`requests below ${path === '' ? 'a bare host' : path} go to the host of the base URL and to no other`, async (t) => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.url, request.headers.authorization)
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const http = openHttp(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`), 'key')
    t.teardown(() => {
      http.stop()
      server.close()
    })
    await http.ask({ method: 'GET', path: '/v1/x?y=1', timeoutMs: 60_000, maxBytes: 100, background: false })
    t.deepEqual(seen, [asked, 'Bearer key'])
  })
}

test('a background request does not keep the process alive if the first address of the host does not answer', async (t) => {
  const script = fileURLToPath(new URL('_background.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script])
  const resources: string[] = JSON.parse(stdout)
  t.true(resources.includes('TCPServerWrap'), 'the control')
  t.false(resources.includes('TCPSocketWrap'), stdout)
})

test('an instrumentation of the HTTP client makes no spans of requests to the service', async (t) => {
  const server = createServer((_request, response) => response.end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const http = openHttp(new URL(url), 'key')
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const suppressed: boolean[] = []
  // Instrumentations decide here, in the context of the call, whether they make a span.
  const note = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest }
    if (request.getHeader('host') === new URL(url).host) suppressed.push(isTracingSuppressed(context.active()))
  }
  subscribe('http.client.request.start', note)
  t.teardown(() => {
    unsubscribe('http.client.request.start', note)
    context.disable()
    http.stop()
    server.close()
  })
  await http.ask({ method: 'POST', path: '/v1/traces', timeoutMs: 60_000, maxBytes: 100, background: false })
  await new Promise<void>((done) => get(url, (response) => response.resume().once('end', done)))
  t.deepEqual(suppressed, [true, false], 'the request to the service, and the control')
})
