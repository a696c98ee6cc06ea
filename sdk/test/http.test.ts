// Where requests go, and the key with them.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
