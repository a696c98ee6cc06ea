import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import { CommandFault } from '../_kit/command.ts'
import { type TestSettings, toEnvironment } from '../_kit/environment.ts'
import { inherited } from '../_kit/inherited.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { openSession, openWorkspace } from './account.ts'
import { type HistoryOptions, tellHistory } from './history.ts'
import { callRoute, exportSpans, requireService } from './interface.ts'
import { early, late } from './mistakes.ts'
import { type Options, readOptions } from './options.ts'

const endMs = Date.UTC(2026, 10, 20, 12)
const dayMs = 86_400_000
// A scan for findings has two seconds for all types, and begins with another type each minute: a busy machine needs several scans.
const foundWithinMs = 180_000
const options: HistoryOptions = { seed: 1, traces: 60, days: 3, endMs }

type SpanSent = { traceId: string; spanId: string; parentSpanId: string; startTimeUnixNano: string }

type Request = { readonly body: Uint8Array }

/** Returns the spans of requests, request by request. */
const readSpans = (requests: Iterable<Request>): SpanSent[][] =>
  [...requests].map(({ body }) => {
    const sent = exportRequestType.toObject(exportRequestType.decode(gunzipSync(body)), {
      longs: String,
      bytes: String,
    })
    const resources = (sent as { resourceSpans: { scopeSpans: { spans: SpanSent[] }[] }[] }).resourceSpans
    return resources.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans))
  })

const spansOf = (history: HistoryOptions): SpanSent[][] => readSpans(tellHistory(history))

const story = [...tellHistory(options)]
const told = readSpans(story)
const otherStory = [...tellHistory({ ...options, seed: 2 })]

/** A digest for each request. */
const digest = (requests: Iterable<Request>): string[] =>
  [...requests].map(({ body }) => createHash('sha256').update(body).digest('hex'))

test('the same seed gives the same story, and another seed gives another one', (t) => {
  t.deepEqual(digest(tellHistory(options)), digest(story))
  t.notDeepEqual(digest(otherStory), digest(story))
})

test('the same story at another time shares no id with the first', (t) => {
  const first = new Set(told.flat().map((span) => span.traceId))
  const later = spansOf({ ...options, endMs: endMs + 60_000 })
  t.false(later.some((spans) => spans.some((span) => first.has(span.traceId))))
})

/** Returns spans without their ids, with times and days relative to the end of the history. */
const tellApart = (history: HistoryOptions): { spans: string[]; sessions: number } => {
  const spans = spansOf(history)
    .flat()
    .map(({ traceId: _trace, spanId: _span, parentSpanId: _parent, ...span }) =>
      JSON.stringify(span)
        .replaceAll(/\b1\d{18}\b/g, (ns) => String(BigInt(ns) - BigInt(history.endMs) * 1_000_000n))
        .replaceAll(/_[0-9a-f]{18}\b/g, '_id'),
    )
  const sessions = new Set(spans.flatMap((span) => span.match(/\b[a-z]+-\d{4}-\d{2}-\d{2}(-\d+)?\b/g) ?? []))
  return { spans: spans.map((span) => span.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, 'day')), sessions: sessions.size }
}

test('the story is the same at any hour of any day, of as many sessions', (t) => {
  const traces = inSoak(45, 300)
  const first = tellApart({ ...options, traces, days: 6 })
  t.true(first.spans.length > 6 * traces)
  t.true(first.sessions > traces / 3)
  for (const hours of [9.5, 3 * 24 + 5]) {
    const later = tellApart({ ...options, traces, days: 6, endMs: endMs + hours * 3_600_000 })
    t.is(later.sessions, first.sessions, `${hours} hours later`)
    t.deepEqual(later.spans, first.spans, `${hours} hours later`)
  }
})

test('two seeds share no id', (t) => {
  const first = new Set(told.flat().map((span) => span.traceId))
  const more = isSoak ? [3, 4, 5] : []
  const others = [...readSpans(otherStory), ...more.flatMap((seed) => spansOf({ ...options, seed }))].flat()
  t.true(others.length > 60)
  t.false(others.some((span) => first.has(span.traceId)))
})

test('every trace is whole in one request and lies within the days asked for', (t) => {
  const seen = new Set<string>()
  for (const spans of told) {
    const ids = new Set(spans.map((span) => span.spanId))
    const traces = new Set(spans.map((span) => span.traceId))
    for (const traceId of traces) t.false(seen.has(traceId))
    for (const traceId of traces) seen.add(traceId)
    for (const span of spans) {
      if (span.parentSpanId !== undefined) t.true(span.parentSpanId === '' || ids.has(span.parentSpanId))
      const startMs = Number(BigInt(span.startTimeUnixNano) / 1_000_000n)
      t.true(startMs >= endMs - 3 * dayMs && startMs <= endMs + 600_000)
    }
  }
  t.is(seen.size, 60)
})

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** Runs the demo as a user does. */
const runDemo = async (...args: string[]): Promise<Ended> => await runDemoIn({}, ...args)

type Ended = { code: number; out: string; err: string }

const runDemoIn = async (settings: TestSettings, ...args: string[]): Promise<Ended> =>
  await new Promise((done) => {
    const env = { ...inherited, ...toEnvironment(settings) }
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

test('the demo signs up, sends all its spans, shows what the service made of them, and can be run again; the findings about its tools state a price by the month, and over how many days it was seen', async (t) => {
  t.timeout(foundWithinMs + 60_000)
  const service = await startService({
    OPTIMIZER_INTERVAL_S: 3,
    OPTIMIZER_TICK_S: 1,
    OPTIMIZER_FINDINGS_S: 1,
    OPTIMIZER_SHARE_PERCENT: 100,
  })
  try {
    const first = await runDemo('--skip-story', '--url', service.baseUrl, '--traces', '200', '--seed', '1')
    t.is(first.code, 0, first.err)
    t.regex(first.out, /Signed up as demo@example\.com/)
    t.regex(first.out, /Sent 200 traces of 6 days: .*; 0 spans were rejected/s)
    t.regex(first.out, /Traces +200\n/)
    t.regex(first.out, /support-triager/)
    t.regex(
      first.out,
      new RegExp(`Then ${late + early} spans with wrong times, which were rejected, and [1-9]\\d* spans once more`),
    )
    const [, home, email, password, page] =
      /Open the dashboard:\n\n {2}(\S+)\n {2}Sign in as (\S+) with the password (\S+)\n\n {2}Demo fleet {2}(\S+)\n/.exec(
        first.out,
      ) ?? []
    t.is(home, `${service.baseUrl}/`)
    t.is((await callRoute(`${service.baseUrl}/v1/auth/login`, 'POST', null, { email, password })).status, 200)
    t.regex(page ?? '', /\/w\/[0-9a-f-]{36}\?range=7d$/)
    // Each call restarts the time.
    t.timeout(foundWithinMs + 60_000)
    await checkFindings(t, service)
    t.timeout(foundWithinMs + 60_000)
    const again = await runDemo('--skip-story', '--url', service.baseUrl, '--traces', '5', '--seed', '4')
    t.is(again.code, 0, again.err)
    t.regex(again.out, /Signed in as demo@example\.com/)
    t.regex(again.out, /Traces +205\n/)
    const account = { url: service.baseUrl, email: email ?? '', password: 'not-the-password-of-it' } as Options
    await t.throwsAsync(openSession(account), { instanceOf: CommandFault, message: /another password/ })
  } finally {
    await service.stop()
  }
})

type Finding = { type: string; tool_name: string; est_monthly_cost_usd: number | null; days: number }

async function checkFindings(t: ExecutionContext, service: Pick<TestService, 'query'>): Promise<void> {
  const readFindings = async (): Promise<Finding[]> =>
    await service.query<Finding>(
      `select type, tool_name, est_monthly_cost_usd, (evidence -> 'observed' ->> 'days')::float8 as days
       from findings where type in ('repeated_tool_call', 'unattested_repeat', 'dead_tool_result') order by type, tool_name`,
    )
  const wanted = ['get_customer', 'get_schema', 'read_file']
  // A scan in between may see only a part of the history.
  const isPriced = (rows: readonly Finding[], tool: string): boolean =>
    rows.some((row) => row.tool_name === tool) && rows.every((row) => row.tool_name !== tool || row.days > 5)
  // Checked on the rows as they were read: the next scan may find more.
  let rows: Finding[] = []
  await until(async () => {
    rows = await readFindings()
    return wanted.every((tool) => isPriced(rows, tool))
  }, foundWithinMs)
  rows = rows.filter(({ tool_name: tool }) => wanted.includes(tool))
  for (const { type, tool_name: tool, est_monthly_cost_usd: usd, days } of rows) {
    t.true(usd !== null && usd > 0, `${type} ${tool}: ${usd}`)
    t.true(days <= 7, `${type} ${tool}: ${days}`)
  }
}

test('a demo that would send nothing is refused', async (t) => {
  const { code, err } = await runDemo('--skip-story', '--story-only')
  t.is(code, 1)
  t.is(err, '--skip-story and --story-only exclude each other; use only one.\n')
})

test('the demo sends to the configured port of the service, unless another address is given, and reports in one sentence that no service answers', async (t) => {
  t.is(readOptions([], toEnvironment({ PORT: 2 }))?.url, 'http://localhost:2')
  const { code, out, err } = await runDemoIn({ PORT: 2 }, '--url', 'http://127.0.0.1:1')
  t.is(code, 1)
  t.is(out, '')
  t.regex(err, /^No response from http:\/\/127\.0\.0\.1:1\. .*\n$/)
})

type Refusals = Readonly<Record<string, readonly [status: number, body: unknown]>>

/** Serves these answers by path, and 404 for any other. */
async function serveRefusals(t: ExecutionContext, answers: Refusals): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, { error: 'unknown' }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  t.teardown(() => server.close())
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  )
  return `http://127.0.0.1:${port}`
}

test('the demo says when the address is that of another program, or no front of the service answers', async (t) => {
  const another = (url: string, answer: string) =>
    `${url} is not a Tracewright service: it answers /v1/health/live with ${answer}. Pass the address of the service with --url.`
  for (const [answer, describe] of [
    [undefined, (url: string) => another(url, 'status 404')],
    [[200, { hello: 'world' }], (url: string) => another(url, 'status 200 and an unknown body')],
    [[500, undefined], (url: string) => another(url, 'status 500')],
    [[200, 'hello'], (url: string) => another(url, 'status 200 and an unknown body')],
    [
      [502, {}],
      (url: string) => `No front of the service at ${url} answers yet (status 502). Try again when one is ready.`,
    ],
  ] as const) {
    const url = await serveRefusals(t, answer === undefined ? {} : { '/v1/health/live': answer })
    await t.throwsAsync(requireService(url), { instanceOf: CommandFault, message: describe(url) })
  }
  const url = await serveRefusals(t, {})
  t.deepEqual(await runDemo('--url', url), { code: 1, out: '', err: `${another(url, 'status 404')}\n` })
})

test('the demo says which refusal of the service stops it', async (t) => {
  const account = { url: '', email: 'ada@example.com', password: 'secret' } as Options
  const login = [401, { detail: 'The e-mail address or the password is wrong' }] as const
  const signedIn = [200, { access_token: 'token' }] as const
  for (const [signup, message] of [
    [
      [409, { detail: 'Taken' }],
      'The account ada@example.com has another password; pass it with --password, or use another --email.',
    ],
    [
      [403, { detail: 'Sign-up on this service requires an invite' }],
      'ada@example.com could neither sign up (status 403: Sign-up on this service requires an invite) nor sign in (status 401: The e-mail address or the password is wrong). Pass an existing account with --email and --password.',
    ],
    [
      [403, { detail: { code: 7 } }],
      'ada@example.com could neither sign up (status 403) nor sign in (status 401: The e-mail address or the password is wrong). Pass an existing account with --email and --password.',
    ],
    [
      [422, { detail: [{ loc: ['body', 'password'], msg: 'Too short', type: 'value_error' }] }],
      'ada@example.com could neither sign up (status 422: body.password: Too short) nor sign in (status 401: The e-mail address or the password is wrong). Pass an existing account with --email and --password.',
    ],
  ] as const) {
    const url = await serveRefusals(t, { '/v1/auth/signup': signup, '/v1/auth/login': login })
    await t.throwsAsync(openSession({ ...account, url }), { instanceOf: CommandFault, message })
  }
  await t.throwsAsync(exportSpans(await serveRefusals(t, {}), 'key', new Uint8Array()), {
    message: 'The service rejected the request with status 404',
  })
  const full = await serveRefusals(t, {
    '/v1/auth/signup': [409, {}],
    '/v1/auth/login': signedIn,
    '/v1/workspaces': [200, [{ id: 'w', name: 'Demo fleet' }]],
    '/v1/keys': [409, { detail: 'This workspace has reached its limit of active keys; revoke one first' }],
  })
  await t.throwsAsync(openWorkspace(full, await openSession({ ...account, url: full }), 'Demo fleet'), {
    instanceOf: CommandFault,
    message:
      'Creating an API key failed with status 409: This workspace has reached its limit of active keys; revoke one first',
  })
})
