// The OpenAPI document: valid by an external linter, complete, and served correctly.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { renderApiTypes } from '../../dashboard/scripts/render-api-types.ts'
import { ok } from '../../src/base/outcome.ts'
import { withOpenapi } from '../../src/web/openapi-route.ts'
import { route } from '../../src/web/route.ts'
import { startService } from '../_kit/serve.ts'
import { readDocument } from './_document.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
const service = await startService()
const document = await readDocument(service)
test.after.always(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const lintDeadlineMs = 90_000

type Report = { problems: { ruleId: string; message: string }[] }

/** Returns the linter's findings, including warnings, for each document. */
async function lint(texts: readonly string[]): Promise<string[][]> {
  const files = texts.map((text, at) => {
    const file = join(folder, `${at}.json`)
    writeFileSync(file, text)
    return file
  })
  const cli = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
  const child = spawn(process.execPath, [cli, 'lint', ...files, '--config', '.redocly.yaml', '--format', 'json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), lintDeadlineMs)
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await new Promise((done) => child.once('close', done))
  clearTimeout(killer)
  // A report for each file, one after another.
  const reports = output
    .slice(output.indexOf('{'))
    .split(/(?<=^\})(?=\{)/m)
    .map((report) => JSON.parse(report) as Report)
  return reports.map(({ problems }) => problems.map(({ ruleId, message }) => `${ruleId}: ${message}`))
}

test('the linter finds nothing, not even a warning, and would find a fault', async (t) => {
  t.timeout(lintDeadlineMs + 10_000)
  // One path is enough to find a fault in.
  const { paths, ...others } = JSON.parse(document.text) as { paths: object }
  const onePath = { ...others, paths: Object.fromEntries(Object.entries(paths).slice(0, 1)) }
  const broken = JSON.stringify(onePath).replace('"operationId":', '"operationID":')
  const [found, foundInBroken, ...more] = await lint([document.text, broken])
  t.deepEqual(found, [])
  t.true(foundInBroken?.some((problem) => problem.includes('operationID')))
  t.deepEqual(more, [])
})

test('the dashboard’s types of the API match the document', async (t) => {
  const rendered = await renderApiTypes(document.text)
  t.true(
    rendered === readFileSync(new URL('../../dashboard/src/api/schema.ts', import.meta.url), 'utf8'),
    'run `npm run types --workspace dashboard -- <address of the service>` and commit schema.ts',
  )
  t.not(await renderApiTypes(document.text.replace('"/v1/meta"', '"/v1/renamed"')), rendered)
})

test('it is OpenAPI 3.1 of interface version 0.2.0, as JSON', async (t) => {
  const { status, headers, json } = await service.call('GET', '/openapi.json', { token: null })
  t.is(status, 200)
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  const { openapi, info } = json as { openapi: string; info: { version: string } }
  t.regex(openapi, /^3\.1\./)
  t.is(info.version, '0.2.0')
})

test('every served route is described: the document is generated from the routes themselves', (t) => {
  const one = route({
    method: 'GET',
    path: '/one',
    tag: 'Test',
    summary: 'One',
    auth: 'none',
    status: 204,
    handle: async () => ok(undefined),
  })
  const all = withOpenapi([one, { ...one, method: 'POST', path: '/two/{id}' }])
  t.deepEqual(
    all.map(({ method, path }) => `${method} ${path}`),
    ['GET /one', 'POST /two/{id}', 'GET /openapi.json'],
  )
})

test('every described route is served', async (t) => {
  for (const { name, method, path } of document.operations) {
    const options = await service.call('OPTIONS', path.replaceAll(/\{\w+\}/g, 'x'), { token: null })
    t.true((options.headers.get('allow') ?? '').split(', ').includes(method), name)
  }
})

test('the description of a cursor names the field of the response that contains it', (t) => {
  for (const { name, parameters, responses } of document.operations) {
    const media = Object.values(responses['200']?.content ?? {})
    // Pages are named schemas.
    const isPaged = /Page|Tail|TraceDetail/.test(JSON.stringify(media.map(({ schema }) => schema)))
    for (const { description, schema } of parameters) {
      const text = `${description} ${String(schema?.['description'])}`
      t.true(isPaged || !text.includes('next_cursor'), name)
    }
  }
})

test('a route that can answer 304 has the parameter If-None-Match', (t) => {
  const conditional = document.operations.filter(({ responses }) => responses['304'] !== undefined)
  t.true(conditional.length > 3)
  for (const { name, parameters } of conditional) {
    t.true(
      parameters.some((parameter) => parameter.name === 'If-None-Match'),
      name,
    )
  }
})

test('the document contains the agreed interface', (t) => {
  const agreed = [
    'GET /v1/workspaces/{workspace_id}/decisions',
    'POST /v1/workspaces/{workspace_id}/decisions',
    'GET /v1/workspaces/{workspace_id}/decisions/summary',
    'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}',
    'POST /v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions',
    'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions',
    'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/measurements',
    'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/trials',
    'GET /v1/workspaces/{workspace_id}/stats/savings',
    'GET /v1/workspaces/{workspace_id}/findings',
    'GET /v1/workspaces/{workspace_id}/findings/summary',
    'GET /v1/workspaces/{workspace_id}/findings/{finding_id}',
    'PATCH /v1/workspaces/{workspace_id}/findings/{finding_id}',
    'GET /v1/apply/tool-result',
    'POST /v1/keys',
    'GET /v1/keys',
    'DELETE /v1/keys/{key_id}',
    'GET /v1/workspaces',
    'POST /v1/workspaces',
    'DELETE /v1/workspaces/{workspace_id}',
    'GET /v1/workspaces/{workspace_id}/agents',
    'GET /v1/workspaces/{workspace_id}/stats/summary',
    'GET /v1/workspaces/{workspace_id}/usage',
    'GET /v1/workspace/me',
    'POST /v1/otlp/v1/traces',
    'GET /v1/apply/rules',
    'GET /v1/apply/tool-result',
    'POST /v1/auth/login',
    'POST /v1/auth/refresh',
    'POST /v1/auth/logout',
    'GET /v1/auth/jwks',
    'GET /.well-known/jwks.json',
  ]
  const known = new Set(document.operations.map(({ name }) => name))
  t.deepEqual(
    agreed.filter((name) => !known.has(name)),
    [],
  )
})
