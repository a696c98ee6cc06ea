// Filter inputs above a list keep their content while the page updates, and what the page says about filters is correct.
import test, { type ExecutionContext } from 'ava'
import { launchBrowser, type WatchedPage } from '../_kit/browser.ts'
import { startService } from '../_kit/serve.ts'
import { makeSpan } from '../_kit/spans.ts'
import { openAndSettle } from './_pages.ts'
import { signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const service = await startService()
const browser = await launchBrowser()
test.after.always(async () => {
  await browser.stop()
  await service.stop()
})

const traces = `/w/${service.workspaceId}/traces`
/** A little longer than the interval of the page's clock. */
const tickMs = 31_000

test.before(async () => {
  await sendSpans(service.baseUrl, service, [makeSpan({ name: 'hello', start: Date.now() - 60_000 })])
  await service.settled()
})

async function openPage(t: ExecutionContext): Promise<WatchedPage> {
  const watched = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 } })
  await signIn(watched.page.context(), service.baseUrl, service)
  return watched
}

test('a window that is being filled in stays while the clock of the page goes on', async (t) => {
  const { page } = await openPage(t)
  await page.clock.install()
  await openAndSettle(page, traces)
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

test('each part of a bound can be changed again and again', async (t) => {
  const { page } = await openPage(t)
  await openAndSettle(page, traces)
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
  await from.getByRole('spinbutton', { name: /^minute/ }).focus()
  for (const key of ['Backspace', 'Backspace', '1', '2']) await page.keyboard.press(key)
  t.is(await read(/^minute/), 12)
})

test('a filter that is not followed is named as ignored, and as nothing else; one without its values says so', async (t) => {
  const { page, forgive } = await openPage(t)
  await page.route(/\/stats\/breakdown/, (route) => route.fulfill({ status: 500, body: '{"detail":"No values"}' }))
  await openAndSettle(page, `${traces}?status=broken&served=true`)
  const missing = page.getByText('The values of the filters “Agent”, “Model”, “Tool” could not be loaded.')
  await missing.waitFor()
  await page.unroute(/\/stats\/breakdown/)
  await missing.getByRole('button', { name: 'Retry' }).click()
  await missing.waitFor({ state: 'detached' })
  forgive(/status of 500/)
  await page.getByText('Ignored in the URL: status=broken').waitFor()
  await page.getByText('Not narrowed by served.').waitFor()
  const window = 'from_time=2026-01-01T00:00:00Z&to_time=2026-01-02T00:00:00Z'
  for (const list of ['traces', 'events']) {
    await openAndSettle(page, `/w/${service.workspaceId}/${list}?status=broken&${window}`)
    await page.getByText(/No (trace|span) starts in this window/).waitFor()
    await page.getByRole('button', { name: 'Show the newest' }).waitFor()
  }
  t.pass()
})
