// Which rows a list shows and how many it reports: short pages, late rows, and rows beyond the first page.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { PageOptions } from '../_kit/browser.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { makeSpan } from '../_kit/spans.ts'
import { actAndSettle, goAndSettle, goAnewAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { idOf, sendSpans } from './_traces.ts'

const { service, browser, stop, prepared: manyAgents } = await joinScene(async (own) => await own.addWorkspace())
test.after.always(stop)

const minuteMs = 60_000
/** A little longer than the interval of the page's clock. */
const tickMs = 31_000
const hourMs = 60 * minuteMs

async function openPage(t: ExecutionContext, options: PageOptions = { keep: keepApp }): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, ...options })
  await signIn(page, service.baseUrl, service)
  return page
}

async function send(names: readonly string[], agoMs: number, tenant?: Tenant): Promise<Tenant> {
  const own = tenant ?? (await service.addWorkspace())
  const startMs = Date.now() - agoMs
  const spans = names.map((name, at) => makeSpan({ name, start: startMs - at * 1_000 }))
  await sendSpans(service.baseUrl, own, spans)
  await service.settled()
  return own
}

/** Agents with higher numbers were seen earlier. */
async function addAgents(tenant: Tenant, count: number): Promise<void> {
  const nowMs = Date.now()
  const spans = Array.from({ length: count }, (_, at) =>
    makeSpan({
      spanId: idOf(at + 1),
      start: nowMs - (at + 1) * 1_000,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': `agent ${at}` },
    }),
  )
  await sendSpans(service.baseUrl, tenant, spans)
  await service.settled()
}

test.before(async () => await addAgents(manyAgents, 205))

const number = (count: number, word: string): string[] => Array.from({ length: count }, (_, at) => `${word} ${at}`)

test.serial('a list whose first page has no match says so, and continues on request', async (t) => {
  const { workspaceId } = await send(['rare'], hourMs)
  const page = await openPage(t)
  // As if the filters matched none of the newest 200,000 traces.
  await page.route(/\/v1\/.*\/traces\?/, async (route) => {
    const url = new URL(route.request().url())
    if (!url.searchParams.has('cursor')) return await route.fulfill({ json: { items: [], next_cursor: 'further' } })
    url.searchParams.delete('cursor')
    return await route.continue({ url: url.href })
  })
  await goAndSettle(page, `/w/${workspaceId}/traces?status=ok`)
  await page.getByText('None of the traces that were looked at so far matches.').waitFor()
  await page.getByRole('button', { name: 'Look further' }).click()
  await page.getByRole('link', { name: 'rare' }).waitFor()
  t.is(await page.getByRole('button', { name: 'Look further' }).count(), 0)
})

test.serial(
  'a trace that began before the list was read and arrived later counts as new, and a shown one does not',
  async (t) => {
    const tenant = await send(['known'], 10 * minuteMs)
    const page = await openPage(t, { hasClock: true, keep: keepApp })
    await goAndSettle(page, `/w/${tenant.workspaceId}/traces`)
    await page.getByRole('link', { name: 'known' }).waitFor()
    // Like an agent that ran for some minutes, and whose exporter sends a span when it ends.
    await send(['late'], 5 * minuteMs, tenant)
    await page.clock.fastForward(tickMs)
    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByRole('link', { name: 'late' }).waitFor()
    await page.getByRole('link', { name: 'known' }).waitFor()
    await actAndSettle(page, async () => await page.clock.fastForward(tickMs))
    t.is(await page.getByRole('button', { name: / new$/ }).count(), 0)
  },
)

test.serial('if new rows do not fit into one response, the list says that there are more', async (t) => {
  const tenant = await send(['known'], 2 * hourMs)
  const page = await openPage(t, { hasClock: true, keep: keepApp })
  await goAndSettle(page, `/w/${tenant.workspaceId}/traces`)
  await page.getByRole('link', { name: 'known' }).waitFor()
  // All of them start after the list was read, however fast the page was.
  await send(number(3, 'fresh'), -2_000, tenant)
  // As if the service had ended its search before the answer was full.
  await page.route(/\/v1\/.*\/traces\?.*limit=200/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as object
    await route.fulfill({ response, json: { ...answer, next_cursor: 'further' } })
  })
  await page.clock.fastForward(tickMs)
  await page.getByRole('button', { name: '3 or more new' }).waitFor()
  t.pass()
})

test.serial('check 16: the preview of a row beyond the first page survives a reload', async (t) => {
  const { workspaceId } = await send(number(60, 'trace'), hourMs)
  const page = await openPage(t)
  await goAndSettle(page, `/w/${workspaceId}/traces`)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('button', { name: 'Preview trace 57' }).click()
  const heading = page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: 'trace 57' })
  await heading.waitFor()
  await page.reload()
  await heading.waitFor()
  await page.keyboard.press('Escape')
  await heading.waitFor({ state: 'detached' })
  t.false(page.url().includes('peek'))
})

test.serial('a filter of the agents looks at all of them, not only at those that are loaded', async (t) => {
  const page = await openPage(t)
  await goAndSettle(page, `/w/${manyAgents.workspaceId}/findings`)
  const agents = page.getByRole('search', { name: 'Filters' }).getByLabel('Agent').getByRole('option')
  await agents.filter({ hasText: /^agent 204$/ }).waitFor({ state: 'attached' })
  // The list of agents that the filter has loaded is not the one of this page.
  await goAnewAndSettle(page, `/w/${manyAgents.workspaceId}/agents`)
  t.is(await page.getByRole('link', { name: 'agent 204' }).count(), 0, 'it is the last of those that were seen')
  await page.getByRole('searchbox', { name: 'Name' }).fill('agent 204')
  await page.getByRole('link', { name: 'agent 204' }).waitFor()
})

test.serial(
  'the palette finds an agent that was not among the last 200, by what was typed while it was loading',
  async (t) => {
    const page = await openPage(t, {})
    const loading = Promise.withResolvers<void>()
    await page.route(/\/Palette-.*\.js/, async (route) => {
      await loading.promise
      await route.continue()
    })
    await openAndSettle(page, `/w/${manyAgents.workspaceId}/keys`)
    await page.keyboard.press('Control+k')
    // On the page, "g" and "e" lead to the events.
    await page.keyboard.type('agee')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('nt 20')
    loading.resolve()
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.type('4')
    await page
      .getByRole('option')
      .filter({ hasText: /^agent 204/ })
      .waitFor()
    t.is(await page.getByRole('dialog').locator('input').inputValue(), 'agent 204')
    t.true(page.url().endsWith('/keys'), page.url())
  },
)

test.serial('the search for a session whose traces are behind many others continues on request', async (t) => {
  const tenant = await service.addWorkspace()
  await sendSpans(service.baseUrl, tenant, [makeSpan({ name: 'far', attributes: { 'session.id': 'old one' } })])
  const page = await openPage(t)
  // More empty answers than the page follows by itself.
  let left = 12
  await page.route(/\/v1\/.*\/traces\?.*session_id/, async (route) => {
    left -= 1
    if (left > 0) return await route.fulfill({ json: { items: [], next_cursor: `further ${left}` } })
    const url = new URL(route.request().url())
    url.searchParams.delete('cursor')
    return await route.continue({ url: url.href })
  })
  await goAndSettle(page, `/w/${tenant.workspaceId}/sessions/old%20one`)
  await page.getByText('None of the traces that were looked at so far is of this session.').waitFor()
  const further = page.getByRole('button', { name: 'Look further' })
  await further.click()
  await further.click()
  await page.getByRole('link', { name: 'far' }).waitFor()
  t.pass()
})

test.serial('the overview of a workspace without data shows the first figures when they have come', async (t) => {
  const tenant = await service.addWorkspace()
  const page = await openPage(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}`)
  await page.getByText('No span has been stored in this workspace yet.').waitFor()
  await send(['first'], minuteMs, tenant)
  await page.keyboard.press('r')
  await page.getByRole('region', { name: 'Top agents' }).waitFor()
  t.is(await page.getByText('No span has been stored in this workspace yet.').count(), 0)
})
