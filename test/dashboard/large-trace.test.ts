// A trace that is larger than one answer, and a span of the largest size. test/bench/dashboard.ts measures their times.
import test, { type ExecutionContext } from 'ava'
import type { Page, Route } from 'playwright-core'
import { until } from '../_kit/until.ts'
import { goAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { countMatchMarks, countNodes, grid, waitForRows } from './_trace-page.ts'
import { hugeText, idOf, makeHugeTrace, makeLargeTrace, sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const firstSpans = 10_000
const allSpans = 10_401
const legs = 104
const maxNodes = 600
const desktop = { width: 1_440, height: 900 }

const { traceId: largeId, spans: largeSpans } = makeLargeTrace(allSpans)

test.before(async () => await sendSpans(service.baseUrl, service, largeSpans))

async function openPage(t: ExecutionContext): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  return page
}

/** Scrolls from end to end. Returns the positions where the visible rows did not appear, and the highest number of nodes. */
const scrollThrough = async (page: Page): Promise<{ readonly gaps: number[]; readonly nodes: number }> =>
  await page.evaluate(`(async () => {
    const grid = document.querySelector('[role=treegrid]')
    const frame = () => new Promise((turn) => requestAnimationFrame(turn))
    const gaps = []
    let nodes = 0
    const isFull = () => {
      const { top, bottom } = grid.getBoundingClientRect()
      const rows = [...grid.querySelectorAll('[role=rowgroup] [role=row]')].map((row) => row.getBoundingClientRect())
      const seen = rows.filter((row) => row.bottom > top + 28 && row.top < bottom).length
      return seen >= Math.floor((bottom - top) / 28) - 1
    }
    for (let step = 0; step <= 20; step += 1) {
      grid.scrollTop = (step / 20) * (grid.scrollHeight - grid.clientHeight)
      // On a busy machine the rows come some frames later.
      for (let frames = 0; frames < 300 && !isFull(); frames += 1) await frame()
      nodes = Math.max(nodes, grid.querySelectorAll('*').length)
      if (!isFull()) gaps.push(grid.scrollTop)
    }
    return { gaps, nodes }
  })()`)

test.serial(
  'checks 7 to 9: a trace of 10,401 spans has a few hundred nodes, folds, can be searched, and loads its rest',
  async (t) => {
    const page = await openPage(t)
    await goAndSettle(page, `/w/${service.workspaceId}/traces`)
    await page.locator(`a[href*="${largeId}"]`).first().click()
    await waitForRows(page, firstSpans)
    await grid(page).getByText('large run').waitFor()
    t.true((await countNodes(page)) <= maxNodes, `${await countNodes(page)} nodes`)
    await page.getByText('10,000 of 10,401 spans are shown.').waitFor()

    const { gaps, nodes } = await scrollThrough(page)
    t.deepEqual(gaps, [])
    t.true(nodes <= maxNodes, `${nodes} nodes`)

    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await waitForRows(page, 1)
    await page.getByRole('button', { name: 'Unfold all' }).click()
    await waitForRows(page, firstSpans)

    t.is(await countMatchMarks(page), 0)
    await page.keyboard.press('f')
    await page.keyboard.type('needle')
    await page
      .getByRole('status')
      .getByText(/^99$|^\d+ of 99$/)
      .waitFor()
    await until(async () => (await countMatchMarks(page)) > 0)
    await page.keyboard.press('Enter')
    await grid(page).locator('[aria-selected=true]').getByText('needle 0').waitFor()

    await page.getByRole('button', { name: 'Load more' }).click()
    await waitForRows(page, allSpans)
    t.is(await page.getByText('spans are shown').count(), 0)
    t.true((await countNodes(page)) <= maxNodes)
    // The search covers rows that arrived later, and the selection stays.
    await page.getByRole('status').getByText(`1 of ${legs}`).waitFor()
  },
)

test.serial('a link to a span beyond the first answer opens that span and no other one', async (t) => {
  const page = await openPage(t)
  const path = `/w/${service.workspaceId}/traces/${largeId}?span=${idOf(firstSpans + 50)}`
  await goAndSettle(page, path)
  await page.getByRole('complementary', { name: `Span work ${firstSpans + 49}` }).waitFor()
  await waitForRows(page, allSpans)
  t.true(page.url().endsWith(path))
})

/** Holds back requests for events until `release` is called, and records which requests the page aborted. */
async function holdEvents(
  page: Page,
): Promise<{ release: () => void; readonly asked: string[]; readonly left: string[] }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked: string[] = []
  const left: string[] = []
  const idIn = (url: string): string => /\.([0-9a-f]{16})/.exec(url)?.[1] ?? ''
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'net::ERR_ABORTED') left.push(idIn(request.url()))
  })
  await page.route(/\/events\/[0-9a-f]{32}/, async (route: Route) => {
    asked.push(idIn(route.request().url()))
    await promise
    await route.continue()
  })
  return { release: resolve, asked, left }
}

test.serial(
  'check 10: a span of a mebibyte is selected before its content arrives, and leaving it aborts its request',
  async (t) => {
    const { traceId, spans } = makeHugeTrace()
    await sendSpans(service.baseUrl, service, spans)
    const page = await openPage(t)
    await goAndSettle(page, `/w/${service.workspaceId}/traces/${traceId}`)
    const { release, asked, left } = await holdEvents(page)
    const panel = page.getByRole('complementary', { name: 'Span huge' })
    await grid(page).getByText('huge', { exact: true }).click()
    await grid(page).locator('[aria-selected=true]').getByText('huge').waitFor()
    await panel.getByText(idOf(2)).waitFor()
    await until(() => asked.includes(idOf(2)))
    t.is(await panel.getByRole('tabpanel').innerText(), '', 'only a skeleton')

    await grid(page).getByText('root', { exact: true }).click()
    await until(() => left.includes(idOf(2)))
    release()
    await grid(page).getByText('huge', { exact: true }).click()
    await panel.getByText(hugeText).first().waitFor()
    t.is(await panel.getByRole('button', { name: 'Show all (222,000 more characters)' }).count(), 2)
    const { length } = await panel.innerText()
    t.true(length < 50_000, `${length} characters`)
  },
)
