// The built page as browsers get it: from memory, with its content types, caching and policy, and no other file.
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { openDashboard } from '../../src/dashboard/open.ts'
import { readFiles } from '../../src/dashboard/read-files.ts'
import { makeRoutes, sendRaw, startServer, type TestServer } from '../web/_server.ts'
import { index, makeFolder, script, writeBuilt } from './_built.ts'

const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

async function serveFolder(t: ExecutionContext, folder: string): Promise<TestServer & { errors: unknown[] }> {
  const errors: unknown[] = []
  const told = { onBuilding: () => undefined, onBuilt: () => undefined }
  const page = await openDashboard({ folder, build: null, ...told, onError: (error) => void errors.push(error) })
  const server = await startServer(makeRoutes(), undefined, { findPage: page.findPage })
  t.teardown(async () => await server.stop())
  return { ...server, errors }
}

async function serveBuilt(t: ExecutionContext): Promise<TestServer> {
  const folder = makeFolder(t)
  writeBuilt(folder)
  const server = await serveFolder(t, folder)
  // The server serves what it read at the start.
  rmSync(folder, { recursive: true })
  return server
}

test('every path that a browser opens is the page, with its policy', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  for (const path of [
    '/',
    '/w/01890000-0000-7000-8000-000000000001/traces?range=7d',
    '/sign-in',
    '/invite',
    '/invite/abc',
  ]) {
    const response = await fetch(baseUrl + path, { headers: html })
    t.is(response.status, 200, path)
    t.is(response.headers.get('content-type'), 'text/html; charset=utf-8')
    t.is(response.headers.get('cache-control'), 'no-cache')
    t.is(response.headers.get('vary'), 'Accept, Accept-Encoding')
    t.is(
      response.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types default",
    )
    for (const [name, value] of [
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-resource-policy', 'same-origin'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
      ['x-frame-options', 'DENY'],
    ] as const)
      t.is(response.headers.get(name), value)
    t.is(await response.text(), index)
  }
})

test('a page that the browser has cached is not sent again', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  const first = await fetch(baseUrl, { headers: html })
  const etag = first.headers.get('etag') ?? ''
  t.regex(etag, /^".+"$/)
  const again = await fetch(baseUrl, { headers: { ...html, 'if-none-match': etag } })
  t.is(again.status, 304)
  t.is(again.headers.get('etag'), etag)
  t.is(await again.text(), '')
  t.is((await fetch(baseUrl, { headers: { ...html, 'if-none-match': '"other"' } })).status, 200)
})

test('HEAD answers as GET, without the body', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  for (const path of ['/', '/theme.js', '/assets/app-1a2b3c.js']) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map(async (method) => await fetch(baseUrl + path, { method, headers: html })),
    )
    t.is(head?.status, 200)
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      t.is(head?.headers.get(name), get?.headers.get(name), `${path} ${name}`)
    t.is(await head?.text(), '')
  }
})

test('hashed files are cached without limit, others are revalidated, and each has its content type', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  const forever = 'public, max-age=31536000, immutable'
  for (const [path, type, cacheControl] of [
    ['/assets/app-1a2b3c.js', 'text/javascript; charset=utf-8', forever],
    ['/assets/app-4d5e6f.css', 'text/css; charset=utf-8', forever],
    ['/assets/inter-7a8b9c.woff2', 'font/woff2', forever],
    ['/theme.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ] as const) {
    const response = await fetch(baseUrl + path)
    t.is(response.status, 200, path)
    t.is(response.headers.get('content-type'), type)
    t.is(response.headers.get('cache-control'), cacheControl)
    t.truthy(response.headers.get('etag'))
  }
})

test('compressed files of the build are sent in the encoding that the browser accepts', async (t) => {
  const { port } = await serveBuilt(t)
  const ask = async (accept: string): Promise<{ head: string; body: Buffer }> => {
    const answer = await sendRaw(
      port,
      `GET /assets/app-1a2b3c.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: ${accept}\r\n\r\n`,
    )
    const end = answer.indexOf('\r\n\r\n')
    return { head: answer.slice(0, end), body: Buffer.from(answer.slice(end + 4), 'latin1') }
  }
  const brotli = await ask('gzip, deflate, br, zstd')
  t.regex(brotli.head, /\r\ncontent-encoding: br\r\n/i)
  t.regex(brotli.head, /\r\nvary: accept-encoding\r\n/i)
  t.is(brotliDecompressSync(brotli.body).toString(), script)
  const zipped = await ask('gzip, br;q=0')
  t.regex(zipped.head, /\r\ncontent-encoding: gzip\r\n/i)
  t.is(gunzipSync(zipped.body).toString(), script)
  const plain = await ask('identity')
  t.notRegex(plain.head, /content-encoding/i)
  t.is(plain.body.toString(), script)
  t.is(new Set([brotli, zipped, plain].map(({ head }) => /etag: (.*)/i.exec(head)?.[1])).size, 3)
})

test('a missing file is 404 and not the page, for every client', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  for (const path of ['/assets/app-000000.js', '/assets/', '/assets/app-1a2b3c.js.map', '/assets/app-1a2b3c.js.br']) {
    const response = await fetch(baseUrl + path, { headers: html })
    t.is(response.status, 404, path)
    t.deepEqual(await response.json(), { detail: 'Not found' })
  }
})

test('paths of the API do not return the page, and programs get errors in JSON', async (t) => {
  const { baseUrl } = await serveBuilt(t)
  const programs = ['/v1', '/v1/', '/v1/nothing', '/mcp', '/openapi.json/x', '/.well-known/x', '/healthz/x', '/readyz']
  for (const path of [...programs, '/reset/x']) {
    const response = await fetch(baseUrl + path, { headers: html })
    t.is(response.status, 404, path)
    t.is(await response.text(), '{"detail":"Not found"}', path)
  }
  for (const accept of ['*/*', 'application/json', 'image/*', 'text/html;q=0, */*;q=0.1']) {
    const response = await fetch(`${baseUrl}/w/some`, { headers: { accept } })
    t.is(response.status, 404, accept)
    t.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
  }
  t.is((await fetch(`${baseUrl}/refused`, { headers: html })).status, 409, 'routes come first')
  t.is((await fetch(`${baseUrl}/w/some`, { method: 'POST', headers: html })).status, 404)
  t.is(await (await fetch(baseUrl)).text(), index, 'the root is the page for whoever takes anything')
})

test('no path reaches a file outside of the folder', async (t) => {
  const folder = makeFolder(t)
  writeFileSync(join(folder, 'secret.js'), 'secret')
  mkdirSync(join(folder, 'dist'))
  writeBuilt(join(folder, 'dist'))
  symlinkSync(join(folder, 'secret.js'), join(folder, 'dist/assets/link.js'))
  const { port } = await serveFolder(t, join(folder, 'dist'))
  for (const path of [
    '/../secret.js',
    '/assets/../../secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/..\\secret.js',
    '/assets/link.js',
    '//secret.js',
    '/assets/%00',
    '/__proto__',
  ]) {
    const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    t.regex(answer, /^HTTP\/1\.1 404 /, path)
    t.false(answer.includes('secret'), path)
  }
})

test('logs and metrics name the page and not its path', async (t) => {
  const { baseUrl, reports } = await serveBuilt(t)
  for (const path of ['/w/x/traces', '/theme.js', '/assets/app-1a2b3c.js', '/assets/none.js'])
    await (await fetch(baseUrl + path, { headers: html })).text()
  t.deepEqual(
    reports.map(({ route, status }) => [route, status]),
    [
      ['dashboard', 200],
      ['dashboard file', 200],
      ['dashboard asset', 200],
      ['unmatched', 404],
    ],
  )
})

test('without a build, the page names the build command, and the API works', async (t) => {
  const { baseUrl, errors } = await serveFolder(t, join(makeFolder(t), 'dist'))
  for (const path of ['/', '/w/x', '/assets/app-1a2b3c.js']) {
    const response = await fetch(baseUrl + path, { headers: html })
    t.is(response.status, 404)
    t.is(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    t.regex(await response.text(), /`npm run build --workspace dashboard`/)
  }
  t.deepEqual(await (await fetch(`${baseUrl}/w/x`)).json(), { detail: 'Not found' })
  t.is((await fetch(`${baseUrl}/refused`, { headers: html })).status, 409)
  t.deepEqual(errors, [])
})

test('a folder that is not a build is reported and not read into memory', async (t) => {
  const large = makeFolder(t)
  writeBuilt(large)
  writeFileSync(join(large, 'large.js'), '')
  truncateSync(join(large, 'large.js'), 40 * 1_048_576)
  await t.throwsAsync(readFiles(large), { message: /more than 33554432 bytes/ })
  const many = makeFolder(t)
  for (let at = 0; at <= 500; at++) writeFileSync(join(many, `${at}.js`), '')
  await t.throwsAsync(readFiles(many), { message: /more than 500 files/ })
  const other = makeFolder(t)
  writeFileSync(join(other, 'app.js'), '')
  const { baseUrl, errors } = await serveFolder(t, other)
  t.is((await fetch(baseUrl, { headers: html })).status, 404)
  t.regex(String(errors), /has no index\.html/)
})
