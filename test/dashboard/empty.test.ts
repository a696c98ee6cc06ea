// Check 24: the content of empty pages: a sentence and the one thing to do about it. Findings, savings, decisions and telemetry are covered
// by the tests of their pages.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { inOneMonth } from '../_kit/one-month.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { isSoak } from '../_kit/soak.ts'
import { makeSpan, randomTraceId } from '../_kit/spans.ts'
import { goAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'
import { idOf, sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const dayMs = 86_400_000
const minuteMs = 60_000

async function open(t: ExecutionContext, person: Person = service): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, keep: keepApp })
  await signIn(page, service.baseUrl, person)
  return page
}

/** Adds a workspace whose only trace began `agoMs` ago. */
async function addOld(agoMs: number): Promise<Tenant> {
  const tenant = await service.addWorkspace()
  await sendSpans(service.baseUrl, tenant, [makeSpan({ name: 'long ago', start: Date.now() - agoMs })])
  await service.settled()
  return tenant
}

/** Uses the control beside the sentence, which is the only one offered. */
async function act(
  { t, page }: { readonly t: ExecutionContext; readonly page: Page },
  sentence: string | RegExp,
  role: 'button' | 'link',
  action: string,
  actions = 1,
): Promise<void> {
  const empty = page.getByRole('main').locator('[class*=empty]').filter({ hasText: sentence })
  await empty.getByRole(role, { name: action }).waitFor()
  t.is(await empty.locator('a, button').count(), actions)
  await empty.getByRole(role, { name: action }).click()
}

const month = (ms: number): string =>
  new Date(ms).toLocaleString('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })

const nothing = 'No span has been stored in this workspace yet.'

test.serial('check 24: where there was never any data, each page leads to the start page', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const base = `/w/${workspaceId}`
  const page = await open(t)
  for (const [path, sentence] of [
    ['traces', nothing],
    ['live', `${nothing} The first one will appear here.`],
    ['usage', nothing],
    ['decisions', `${nothing} Rules are proposed from traces.`],
    // This list is not empty because of its filters.
    ['events?status=error', nothing],
    // As the list of traces.
    ...(isSoak ? ['events', 'agents'].map((list) => [list, nothing] as const) : []),
  ] as const) {
    await goAndSettle(page, `${base}/${path}`)
    await act({ t, page }, sentence, 'link', 'Send the first trace')
    await page.waitForURL(`**${base}/start**`)
    await page.getByRole('button', { name: 'Create key' }).waitFor()
  }
})

test.serial(
  'check 24: where all spans were rejected, each page leads to the reasons',
  inOneMonth(async (t) => {
    const { workspaceId, key } = await service.addWorkspace()
    const old = makeSpan({ name: 'too old', start: Date.now() - 30 * dayMs })
    await t.throwsAsync(sendSpans(service.baseUrl, { key }, [old]), { message: /were rejected/ })
    const page = await open(t)
    for (const [path, sentence] of [
      ['', `${nothing} 1 span was rejected this month.`],
      ['/traces', `${nothing} 1 span was rejected this month.`],
    ] as const) {
      await goAndSettle(page, `/w/${workspaceId}${path}`)
      await act({ t, page }, sentence, 'link', 'See why')
      await page.waitForURL(/\/usage#rejections$/)
    }
    await page.getByRole('link', { name: 'How to send traces' }).click()
    await page.waitForURL(/\/start$/)
  }),
)

test.serial('check 24: a workspace without a valid key offers to create one', async (t) => {
  const body = { name: 'without a key' }
  const { id } = (await service.call('POST', '/v1/workspaces', { body })).json as { id: string }
  const page = await open(t)
  await goAndSettle(page, `/w/${id}/keys`)
  await act({ t, page }, 'This workspace has no key yet.', 'button', 'New key')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('the first')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('button', { name: 'I stored it' }).click()
  await page.getByRole('button', { name: 'Revoke the first' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await act({ t, page }, 'No key works: all of them are revoked.', 'button', 'New key')
  await page.getByRole('dialog').getByRole('heading', { name: 'New key' }).waitFor()
})

test.serial('check 24: an empty window shows the age of the newest data with a link to it', async (t) => {
  const { workspaceId } = await addOld(3 * dayMs)
  const base = `/w/${workspaceId}`
  const page = await open(t)
  const past = 'from_time=2026-01-01T00:00:00Z&to_time=2026-01-02T00:00:00Z'
  // Each list and each kind of window once; the soak combines them.
  for (const [list, noun, windows] of [
    ['traces', 'trace', isSoak ? ['range=1h', past] : [past]],
    ['events', 'span', isSoak ? ['range=1h', past] : ['range=1h']],
  ] as const) {
    for (const window of windows) {
      await goAndSettle(page, `${base}/${list}?${window}`)
      const sentence = `No ${noun} starts in this window. The newest data is 3 days old.`
      await act({ t, page }, sentence, 'button', 'Show the newest')
      await page.getByRole('link', { name: 'long ago' }).waitFor()
    }
  }
  await goAndSettle(page, `${base}/agents?range=1h`)
  const quiet = page.getByText('Nothing was received in this window. The newest data is 3 days old.')
  await quiet.waitFor()
  await page.getByRole('button', { name: 'Show it' }).click()
  await quiet.waitFor({ state: 'detached' })
  await goAndSettle(page, `${base}/telemetry?range=1h`)
  await act(
    { t, page },
    'Nothing happened in this window. The newest data is 3 days old.',
    'button',
    'Show the newest hour',
  )
  await page.getByRole('region', { name: 'What each instrumentation sent' }).getByRole('row').nth(1).waitFor()
})

test.serial('check 24: an agent that did nothing in the window took no time, and did not get faster', async (t) => {
  const tenant = await service.addWorkspace()
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
  const start = Date.now() - 30 * 60 * minuteMs
  await sendSpans(service.baseUrl, tenant, [makeSpan({ name: 'chat', start, durationMs: 500, attributes })])
  await service.settled()
  const { json } = await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/agents`)
  const page = await open(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}/agents/${(json as { id: string }[])[0]?.id}`)
  const tile = (label: string) => page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
  await tile('LLM calls').getByText('−100.0 % vs. previous period').waitFor()
  for (const label of ['Error rate of spans', 'Span duration, p50', 'Span duration, p95'])
    t.deepEqual(await tile(label).locator('dd > span').allInnerTexts(), ['—', ''], label)
})

test.serial('check 24: a month without spans leads to that of the newest one', async (t) => {
  const tenant = await service.addWorkspace()
  const startMs = Date.now()
  await sendSpans(service.baseUrl, tenant, [makeSpan({ name: 'now', start: startMs })])
  await service.settled()
  const page = await open(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}/usage?period=2026-01`)
  const newest = month(startMs)
  t.is(await page.getByText(/\d agents?(;|$)/).count(), 0, 'the service knows only how many there are now')
  const sentence = `No span was received in January 2026. The newest one is of ${newest}.`
  t.is(await page.getByRole('figure').count(), 0, 'no chart of nothing')
  await act({ t, page }, sentence, 'link', `Show ${newest}`)
  await page.getByText('1 received = 1 stored').waitFor()
  await page.getByText(/\d agents?(;|$)/).waitFor()
})

test.serial('check 24: a trace that began before the window is shown by a longer one', async (t) => {
  const tenant = await service.addWorkspace()
  const traceId = randomTraceId()
  const spans = [
    makeSpan({ traceId, spanId: idOf(1), name: 'a long run', start: Date.now() - 2 * dayMs, durationMs: 2 * dayMs }),
    makeSpan({ traceId, spanId: idOf(2), parentSpanId: idOf(1), start: Date.now() - minuteMs }),
  ]
  await sendSpans(service.baseUrl, tenant, spans)
  await service.settled()
  const page = await open(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}/traces?range=1h`)
  await act({ t, page }, 'No trace starts in this window.', 'button', 'Show the last 7 days')
  await page.getByRole('link', { name: 'a long run' }).waitFor()
})

test.serial('check 24: rows that filters exclude are shown after the filters are cleared', async (t) => {
  const { workspaceId } = await addOld(3 * dayMs)
  const base = `/w/${workspaceId}`
  const page = await open(t)
  const past = `from_time=${new Date(Date.now() - 4 * dayMs).toISOString()}&to_time=${new Date(Date.now() - dayMs).toISOString()}`
  const noTrace = 'No trace of this window matches the filters.'
  // A list can also be looked through in a longer window.
  for (const [path, sentence, action, row, actions] of [
    ['traces?range=7d&status=error', noTrace, 'Clear filters', 'long ago', 2],
    ['events?range=7d&kind=memory', 'No span of this window matches the filters.', 'Clear filters', 'long ago', 2],
    ['traces?range=90d&status=error', noTrace, 'Clear filters', 'long ago', 1],
    ...(isSoak ? [[`traces?${past}&status=error`, noTrace, 'Clear filters', 'long ago', 2] as const] : []),
    ['agents?range=7d&status=active', 'No agent matches the filters.', 'Clear the filters', /./, 1],
  ] as const) {
    await goAndSettle(page, `${base}/${path}`)
    await act({ t, page }, sentence, 'button', action, actions)
    await page.getByRole('rowheader').getByRole('link', { name: row }).waitFor()
    t.false(/status=|kind=/.test(page.url()), page.url())
  }
})

test.serial('check 24: a session that has no trace, and a trace without calls', async (t) => {
  const { workspaceId } = await addOld(minuteMs)
  const page = await open(t)
  await goAndSettle(page, `/w/${workspaceId}/sessions/no-such-session`)
  await page.getByText('This page does not exist, or you have no access.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'your workspace' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await goAndSettle(page, `/w/${workspaceId}/traces`)
  await page.getByRole('link', { name: 'long ago' }).click()
  await page.getByRole('button', { name: 'Transcript' }).click()
  await act({ t, page }, 'This trace contains no call of a model, a tool or an agent.', 'link', 'Show its spans')
  await page.getByRole('treegrid').getByText('long ago').waitFor()
})

test.serial(
  'check 24: an action that requires another role says so, and links to the members who have it',
  async (t) => {
    const owner = await service.signUp()
    const viewer = await service.signUp()
    await service.query(
      `insert into memberships (org_id, user_id, role) select $1, id, 'viewer' from users where email = $2`,
      [owner.orgId, viewer.email],
    )
    const body = { name: 'without a key' }
    const { id } = (await service.call('POST', '/v1/workspaces', { body, token: owner.accessToken })).json as {
      id: string
    }
    const page = await open(t, viewer)
    const reason = 'This requires the role admin or above, and yours is viewer: ask an admin of the organization.'
    for (const [path, sentence] of [
      [`/w/${id}/keys`, 'This workspace has no key yet.'],
      [`/w/${id}/settings/audit`, 'The audit log says who did what, and from where.'],
      [`/o/${owner.orgId}/settings/invites`, 'Open invites hold the addresses of people who are no members yet.'],
    ] as const) {
      await goAndSettle(page, path)
      await act({ t, page }, `${sentence} ${reason}`, 'link', 'See who can')
      const row = page.getByRole('row').filter({ hasText: owner.email })
      t.regex(await row.innerText(), /owner/, path)
    }
  },
)

test.serial('check 24: an empty page whose reason cannot be loaded says so, and offers another attempt', async (t) => {
  // Of a list and of a page with figures; the others use the same note.
  const paths = ['traces', 'usage', ...(isSoak ? ['live', 'decisions', 'findings'] : [])]
  // A separate workspace for each page, since the pages of a workspace share what was loaded.
  const places: string[] = []
  for (const path of paths) places.push(`/w/${(await service.addWorkspace()).workspaceId}/${path}`)
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const reason = /\/agents\?limit=1$/
  for (const place of places) {
    await page.route(reason, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"The service failed"}' }),
    )
    await goAndSettle(page, place)
    const note = page.getByRole('main').getByRole('alert')
    await note.filter({ hasText: 'The service failed' }).first().waitFor()
    await page.unroute(reason)
    await note.getByRole('button', { name: 'Retry' }).first().click()
    await page.getByRole('main').getByRole('link', { name: 'Send the first trace' }).waitFor()
    t.is(await note.count(), 0, place)
    forgive(/Failed to load resource/)
  }
})

test.serial('check 24: why telemetry is empty can fail too, and is loaded by a retry', async (t) => {
  const { workspaceId } = await addOld(3 * dayMs)
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const reason = /\/v1\/workspaces\/[^/]+\/agents(\?|$)/
  await page.route(reason, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"No agents"}' }),
  )
  await goAndSettle(page, `/w/${workspaceId}/telemetry?range=1h`)
  const panel = page.getByRole('region', { name: 'What each instrumentation sent' })
  const note = panel.getByRole('alert').filter({ hasText: 'No agents.' })
  await note.waitFor()
  await page.unroute(reason)
  await note.getByRole('button', { name: 'Retry' }).click()
  await panel.getByText('Nothing happened in this window. The newest data is 3 days old.').waitFor()
  t.is(await note.count(), 0)
  forgive(/Failed to load resource/)
})

test.serial('the page of the usage goes on to the next month when it begins', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { hasClock: true, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  await goAndSettle(page, `/w/${service.workspaceId}/usage`)
  // By the month of the page, also where another one has begun meanwhile.
  const shown = (await page.getByRole('heading', { level: 1 }).innerText()).replace('Usage in ', '')
  const next = new Date(`1 ${shown} 12:00 UTC`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  await page.clock.setSystemTime(next)
  await page.clock.fastForward(31_000)
  await page.getByRole('heading', { level: 1, name: `Usage in ${month(next.getTime())}` }).waitFor()
  t.is(await page.getByRole('link', { name: shown }).count(), 1)
})
