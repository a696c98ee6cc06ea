// Filter inputs above a list keep their content while the page updates, and what the page says about filters is correct.
import test, { type ExecutionContext } from 'ava'
import type { WatchedPage } from '../_kit/browser.ts'
import { makeSpan } from '../_kit/spans.ts'
import { actAndSettle, goAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const traces = `/w/${service.workspaceId}/traces`
/** A little longer than the interval of the page's clock. */
const tickMs = 31_000
const dayMs = 86_400_000

test.before(async () => {
  const attributes = { 'session.id': 'an old session', 'gen_ai.agent.name': 'helper' }
  await sendSpans(service.baseUrl, service, [
    makeSpan({ name: 'hello', start: Date.now() - 60_000 }),
    makeSpan({ name: 'an old trace', start: Date.now() - 3 * dayMs, attributes }),
  ])
  await service.settled()
})

async function openPage(t: ExecutionContext, hasClock = false): Promise<WatchedPage> {
  const watched = await browser.open(t, service.baseUrl, {
    viewport: { width: 1_280, height: 800 },
    hasClock,
    keep: keepApp,
  })
  await signIn(watched.page, service.baseUrl, service)
  return watched
}

test.serial('the input of a time range is kept while the page refreshes', async (t) => {
  const { page } = await openPage(t, true)
  await goAndSettle(page, traces)
  await page.getByRole('button', { name: /^Last 24 hours/ }).click()
  const day = page.getByRole('group', { name: 'From' }).getByRole('spinbutton', { name: /^day/ })
  await day.focus()
  await page.keyboard.type('7')
  t.is(Number(await day.innerText()), 7)
  const moved = page.waitForRequest(/\/stats\/timeseries/)
  await page.clock.fastForward(tickMs)
  await moved
  t.is(Number(await day.innerText()), 7)
})

test.serial('each part of a bound can be changed again and again', async (t) => {
  const { page } = await openPage(t)
  await goAndSettle(page, traces)
  await page.getByRole('button', { name: /^Last 24 hours/ }).click()
  const from = page.getByRole('group', { name: 'From' })
  const read = async (part: RegExp): Promise<number> =>
    Number(await from.getByRole('spinbutton', { name: part }).innerText())
  const year = await read(/^year/)
  await from.getByRole('spinbutton', { name: /^year/ }).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
  t.is(await read(/^year/), year - 1)
  await page.keyboard.type(String(year))
  t.is(await read(/^year/), year)
  const minute = from.getByRole('spinbutton', { name: /^minute/ })
  // The second digit moves the focus on. A key that deletes in an empty part would move it back.
  await minute.focus()
  await page.keyboard.type('45')
  await minute.focus()
  for (const key of ['Backspace', 'Backspace', '1', '2']) await page.keyboard.press(key)
  t.is(await read(/^minute/), 12)
})

test.serial('an invalid filter is named as ignored; a filter whose values cannot be loaded says so', async (t) => {
  const { page, forgive } = await openPage(t)
  await page.route(/\/stats\/breakdown/, (route) => route.fulfill({ status: 500, body: '{"detail":"No values"}' }))
  await goAndSettle(page, `${traces}?status=broken&served=true`)
  const missing = page.getByText('The values of the filters “Agent”, “Model”, “Tool” could not be loaded.')
  await missing.waitFor()
  await page.unroute(/\/stats\/breakdown/)
  await missing.getByRole('button', { name: 'Retry' }).click()
  await missing.waitFor({ state: 'detached' })
  forgive(/status of 500/)
  await page.getByText('Not used: status=broken').waitFor()
  await page.getByText('Filters that this chart ignores: served calls.').waitFor()
  const window = 'from_time=2026-01-01T00:00:00Z&to_time=2026-01-02T00:00:00Z'
  for (const list of ['traces', 'events']) {
    await goAndSettle(page, `/w/${service.workspaceId}/${list}?status=broken&${window}`)
    await page.getByText(/No (trace|span) starts in this window/).waitFor()
    await page.getByRole('button', { name: 'Show the newest' }).waitFor()
  }
  t.pass()
})

test.serial(
  'a pasted session id finds its traces, also those before the window; so does the link of the session',
  async (t) => {
    const { page } = await openPage(t)
    await goAndSettle(page, traces)
    await page.getByLabel('Session').fill('  an old session ')
    await page.waitForURL(/session_id=an\+old\+session$/)
    await page.getByText('No trace of this window matches the filters.').waitFor()
    await page.getByRole('button', { name: 'Search the last 90 days' }).click()
    await page.getByRole('link', { name: 'an old trace' }).waitFor()
    t.is(
      await page.getByLabel('Session').inputValue(),
      '  an old session ',
      'a text that is being typed keeps its blanks',
    )
    await goAndSettle(page, `/w/${service.workspaceId}/sessions/an%20old%20session?range=15m`)
    await page.getByRole('link', { name: 'In the list of traces' }).click()
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor()
    await page.getByRole('link', { name: 'an old trace' }).waitFor()
    t.pass()
  },
)

test.serial('the menu opens a page with the window and without the filters of the page before', async (t) => {
  const { page } = await openPage(t)
  const agents = `/v1/workspaces/${service.workspaceId}/agents`
  const [agent] = (await service.call('GET', agents)).json as { id: string }[]
  await goAndSettle(page, `${traces}?range=7d&agent_id=${agent?.id}`)
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.getByRole('link', { name: 'Decisions' }).click()
  await page.waitForURL(/\/decisions\?range=7d$/)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Go to' }).click()
  await page.getByRole('dialog', { name: 'Go to' }).waitFor()
  t.pass()
})

test.serial('a typed text that cannot filter is marked in its field, with what is expected there', async (t) => {
  const { page } = await openPage(t)
  await goAndSettle(page, traces)
  const field = page.getByLabel('At least (ms)')
  for (const text of ['-5', '1e30', 'abc']) {
    await actAndSettle(page, async () => {
      await field.fill(text)
      await page.waitForURL((url) => url.searchParams.get('min_duration_ms') === text)
    })
    await page.getByText('Not used: expected a number above 0').waitFor()
    t.is(await field.getAttribute('aria-invalid'), 'true', text)
  }
  await field.fill('1')
  await page.getByText('Not used: expected a number above 0').waitFor({ state: 'detached' })
})
