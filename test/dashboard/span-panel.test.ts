// The panel of a span: when its content is requested and shown, and what happens if it cannot be loaded; the timeline beside it.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { PageOptions, WatchedPage } from '../_kit/browser.ts'
import { makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { actAndSettle, goAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { grid } from './_trace-page.ts'
import { idOf, sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const traceId = randomTraceId()
const tool = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search',
  'gen_ai.tool.call.arguments': '{"query":"needle"}',
}
const spans = [
  makeSpan({ traceId, spanId: idOf(1), name: 'root', attributes: { note: 'of the root' } }),
  makeSpan({ traceId, spanId: idOf(2), parentSpanId: idOf(1), name: 'a tool', attributes: tool }),
]

test.before(async () => {
  await sendSpans(service.baseUrl, service, spans)
  await service.settled()
})

const path = `/w/${service.workspaceId}/traces/${traceId}`
const detail = /\/events\/[0-9a-f]{32}/

async function openPage(t: ExecutionContext, options: PageOptions = { keep: keepApp }): Promise<WatchedPage> {
  const watched = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, ...options })
  await signIn(watched.page, service.baseUrl, service)
  return watched
}

const row = (page: Page, name: string) => grid(page).getByText(name, { exact: true })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name: `Span ${name}` })

test.serial('content that could not be loaded is loaded by a retry, whatever part of the span is shown', async (t) => {
  const { page, forgive } = await openPage(t)
  await goAndSettle(page, path)
  await page.route(detail, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"No content"}' }),
  )
  await row(page, 'a tool').click()
  const part = (name: string) => panel(page, 'a tool').getByRole('tabpanel', { name })
  await part('Tool').getByText('No content.').waitFor()
  await panel(page, 'a tool').getByRole('tab', { name: 'Raw' }).click()
  await part('Raw').getByText('No content.').waitFor()
  await page.unroute(detail)
  await part('Raw').getByRole('button', { name: 'Retry' }).click()
  await part('Raw').getByText('needle').first().waitFor()

  // Another span is shown by the part that says most about it, and so is this one when it is selected again.
  await row(page, 'root').click()
  await panel(page, 'root').getByRole('tabpanel', { name: 'Attributes' }).getByText('of the root').waitFor()
  await row(page, 'a tool').click()
  await part('Tool').getByText('needle').waitFor()
  t.is(await panel(page, 'a tool').getByRole('tabpanel').count(), 1)
  forgive(/Failed to load resource/)
})

test.serial('a selection does not wait for content to be rendered, even if that is already loaded', async (t) => {
  const { page } = await openPage(t)
  await goAndSettle(page, `${path}?span=${idOf(2)}`)
  await row(page, 'root').click()
  await panel(page, 'root').getByText('of the root').waitFor()
  const shown = await page.evaluate<string[]>(`(async () => {
    const rows = [...document.querySelectorAll('[role=treegrid] [role=row][aria-selected]')]
    rows.find((one) => one.innerText.includes('a tool')).click()
    await new Promise((turn) => requestAnimationFrame(turn))
    const aside = document.querySelector('aside[aria-label^="Span"]')
    return [aside.getAttribute('aria-label'), aside.querySelector('[role=tabpanel]').innerText]
  })()`)
  t.deepEqual(shown, ['Span a tool', ''])
  await panel(page, 'a tool').getByText('needle').waitFor()
})

test.serial('the panel stays where it is scrolled to when another span is selected', async (t) => {
  const id = randomTraceId()
  const attributes = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`key.${at}`, `value ${at}`]))
  await sendSpans(service.baseUrl, service, [
    makeSpan({ traceId: id, spanId: idOf(1), name: 'one', attributes }),
    makeSpan({ traceId: id, spanId: idOf(2), parentSpanId: idOf(1), name: 'two', attributes }),
  ])
  await service.settled()
  const { page } = await openPage(t)
  await goAndSettle(page, `/w/${service.workspaceId}/traces/${id}?span=${idOf(1)}`)
  const scrolled = async (name: string): Promise<number> => await panel(page, name).evaluate((aside) => aside.scrollTop)
  await panel(page, 'one').getByText('value 80').waitFor()
  await panel(page, 'one').evaluate((aside) => aside.scrollTo(0, 900))
  t.is(await scrolled('one'), 900)
  // First as it is loaded, then from the cache.
  for (const name of ['two', 'one', 'two']) {
    await actAndSettle(page, async () => await row(page, name).click())
    await panel(page, name).getByText('value 80').waitFor()
    t.is(await scrolled(name), 900, name)
  }
})

test.serial(
  'a row under the pointer preloads its span; leaving the row aborts the request, a click keeps it',
  async (t) => {
    const { page } = await openPage(t, {})
    // The limit of a request would abort it too.
    await page.addInitScript('AbortSignal.timeout = () => new AbortController().signal')
    await openAndSettle(page, path)
    const held = Promise.withResolvers<void>()
    let [asked, left] = [0, 0]
    page.on('requestfailed', (request) => {
      if (detail.test(request.url())) left += 1
    })
    await page.route(detail, async (route) => {
      asked += 1
      await held.promise
      // The page may have aborted it meanwhile.
      await route.continue().catch(() => undefined)
    })
    const away = async (): Promise<void> => await page.mouse.move(5, 5)
    await row(page, 'a tool').hover()
    await until(() => asked === 1)
    await away()
    await until(() => left === 1)

    await row(page, 'a tool').hover()
    await until(() => asked === 2)
    await row(page, 'a tool').click()
    await panel(page, 'a tool').waitFor()
    await away()
    held.resolve()
    await panel(page, 'a tool').getByText('needle').waitFor()
    t.deepEqual([asked, left], [2, 1])
  },
)

test.serial('the timeline is drawn again only when its picture changes', async (t) => {
  const { page } = await openPage(t)
  await goAndSettle(page, `${path}?view=timeline`)
  await page.evaluate(`(() => {
    globalThis.draws = 0
    const context = document.querySelector('[data-trace-grid] canvas').getContext('2d')
    const { clearRect } = context
    context.clearRect = (...box) => {
      globalThis.draws += 1
      clearRect.apply(context, box)
    }
  })()`)
  const find = page.getByLabel('Find in this trace')
  const draws = async (): Promise<number> => await page.evaluate<number>('draws')
  await actAndSettle(page, async () => await find.fill('  '))
  t.is(await draws(), 0, 'a search for nothing finds nothing')
  await find.fill('a tool')
  await until(async () => (await draws()) > 0)
})
