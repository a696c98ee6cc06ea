// Events, the live page and the palette, with the traces of the fleet and a stream of spans.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import type { Page, Route } from 'playwright-core'
import { sendFleet } from '../_kit/dashboard.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { encodeRequest, makeResourceSpans, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { callRoute, exportSpans } from '../demo/interface.ts'
import { actAndSettle, clickAtOnce, findPlace, go, goAndSettle, goAnewAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'

const { service, browser, stop } = await joinScene(async (own) => await sendFleet(own, 30))
test.after.always(stop)

/** More spans than the page keeps; the soak runs check 38 at its full length, with its limits. */
const streamS = inSoak(2, 120)
const workspace = `/w/${service.workspaceId}`
const desktop = { width: 1_280, height: 800 }

async function send(
  names: readonly string[],
  attributes: Record<string, string> = {},
  { key }: Pick<Tenant, 'key'> = service,
): Promise<string> {
  const traceId = randomTraceId()
  const spans = names.map((name) => makeSpan({ traceId, name, attributes }))
  const { rejected } = await exportSpans(service.baseUrl, key, gzipSync(encodeRequest([makeResourceSpans({ spans })])))
  if (rejected > 0) throw new Error('a span was rejected')
  return traceId
}

const rowNames = async (page: Page): Promise<string[]> => await page.locator('tbody th a').allInnerTexts()

test.serial(
  'events: filters and columns are in the URL, rows load while scrolling, and each opens its span',
  async (t) => {
    const { page } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
    await signIn(page, service.baseUrl, service)
    await goAndSettle(page, `${workspace}/events?range=7d`)
    const loaded = async (): Promise<number> =>
      Number(/(\d+) (loaded|spans)/.exec(await page.getByText(/ loaded\.$|, all of this window/).innerText())?.[1])
    const before = await loaded()
    await page.getByRole('region', { name: 'Events' }).evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await until(async () => (await loaded()) > before)
    t.true((await page.locator('tbody tr').count()) < 80, 'only what can be seen is in the page')

    await page.getByLabel('Kind').selectOption('tool')
    await page.getByLabel('Status').selectOption('error')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Session' }).waitFor()
    // At once: the second click comes before the result of the first one is rendered.
    await clickAtOnce(page, '[role=menuitemcheckbox]', ['Session', 'Duration'])
    const chosen = (): string[] => new URL(page.url()).searchParams.get('cols')?.split(',') ?? []
    await until(() => chosen().includes('session') && !chosen().includes('duration'))
    await page.keyboard.press('Escape')
    await goAnewAndSettle(page, page.url())
    t.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
      'Start',
      'Kind',
      'Name',
      'Agent',
      'Model or tool',
      'Status',
      // Of failed spans, the error is shown and the usage is not.
      'Error',
      'Session',
    ])
    const shown = await rowNames(page)

    await page.getByRole('button', { name: 'As API' }).click()
    const line = await page.getByRole('dialog').locator('pre').innerText()
    const [, url = ''] = /^curl -s '([^']+)'/.exec(line) ?? []
    const { status, json } = await callRoute(url, 'GET', await service.token())
    t.is(status, 200)
    const items = (json as { items: { name: string; trace_id: string; span_id: string }[] }).items
    t.true(items.length > 0)
    t.deepEqual(items.map(({ name }) => name).slice(0, shown.length), shown)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.keyboard.press('j')
    await page.locator('tbody th a:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/traces/${items[0]?.trace_id}?*span=${items[0]?.span_id}*`)
    await page.locator('[role=row][aria-selected=true]').waitFor()
    await page.goBack()
    await page.getByRole('columnheader', { name: 'Session' }).waitFor()
  },
)

test.serial('check 38: the live page shows what arrives, keeps 500 rows, and waits while it is paused', async (t) => {
  t.timeout((streamS + 230) * 1_000)
  // A separate workspace: spans of the concurrent tests would be counted here.
  const tenant = await service.addWorkspace()
  const stream = async (names: readonly string[]): Promise<string> => await send(names, {}, tenant)
  const { page } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  await goAndSettle(page, `/w/${tenant.workspaceId}/live`)
  await page.getByText('Live', { exact: true }).last().waitFor()
  await stream(['the first of all'])
  await page.getByRole('link', { name: 'the first of all' }).waitFor()
  t.is((await rowNames(page))[0], 'the first of all')

  const readHeap = async (): Promise<number> => {
    const debug = await page.context().newCDPSession(page)
    await debug.send('HeapProfiler.collectGarbage')
    const { usedSize } = await debug.send('Runtime.getHeapUsage')
    await debug.detach()
    return usedSize
  }
  const beforeBytes = await readHeap()
  const delaysMs: number[] = []
  for (let second = 0; second < streamS; second += 1) {
    const startMs = performance.now()
    await stream(Array.from({ length: 500 }, (_, at) => `streamed ${second} ${at}`))
    if (isSoak) {
      delaysMs.push(
        await page.evaluate<number>(
          'new Promise((done) => { const at = performance.now(); const port = new MessageChannel(); port.port1.onmessage = () => done(performance.now() - at); port.port2.postMessage(0) })',
        ),
      )
      await sleep(Math.max(0, startMs + 1_000 - performance.now()))
    }
  }
  // Spans arrive in the order in which they were stored: after this one, no span is in transit that would be counted with those below.
  await stream(['the last of all'])
  await page.getByRole('link', { name: 'the last of all' }).waitFor()
  await page
    .locator('tbody th a', { hasText: `streamed ${streamS - 1} ` })
    .first()
    .waitFor()
  await page.locator('table[aria-rowcount="501"]').waitFor()
  t.true((await page.locator('tbody tr').count()) < 80)
  if (isSoak) {
    const grownBytes = (await readHeap()) - beforeBytes
    const p95Ms = delaysMs.toSorted((a, b) => a - b)[Math.floor(delaysMs.length * 0.95)] ?? 0
    t.log({ grownMb: grownBytes / 2 ** 20, p95Ms })
    t.true(grownBytes < 20 * 2 ** 20)
    t.true(p95Ms <= 100)
  }

  await page.getByRole('button', { name: 'Pause' }).click()
  const before = await rowNames(page)
  await stream(Array.from({ length: 600 }, (_, at) => `unseen ${at}`))
  await page.getByText('600 waiting').waitFor()
  t.deepEqual(await rowNames(page), before)
  // The title follows what is shown.
  await until(async () => (await page.title()) === '(600) Live · Tracewright')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('tbody th a', { hasText: 'unseen' }).first().waitFor()
  t.true(Number.parseInt((await page.getByText(/ skipped$/).innerText()).replaceAll(',', ''), 10) >= 100)

  await page.locator('tbody th').nth(3).hover()
  await page.getByText('Paused while a row is pointed at').waitFor()
  await page.mouse.move(5, 5)
  await page.getByRole('region', { name: 'Live spans' }).evaluate((list) => list.scrollTo(0, 400))
  await page.getByText('Paused while the list is scrolled').waitFor()
  await page.getByRole('button', { name: 'Show the newest' }).click()
  await page.getByText('Paused while the list is scrolled').waitFor({ state: 'detached' })
})

test.serial(
  'the palette opens a page, an agent or the object of an id; check 17: also a session of digits',
  async (t) => {
    const session = '12345678901234567890'
    await send(['of the session'], { 'session.id': session })
    const { traceId } = await findPlace(service.baseUrl, await service.token(), service.workspaceId)
    const { page, forgive } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
    await signIn(page, service.baseUrl, service)
    await goAndSettle(page, `${workspace}/agents`)
    const goTo = async (text: string): Promise<void> => {
      // That of the step before, which goes with the change of the page.
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').locator('input').fill(text)
      await page.getByRole('dialog').locator('[role=option][data-focused]', { hasText: text }).waitFor()
      await page.keyboard.press('Enter')
    }
    await goTo('Usa')
    await page.waitForURL(`**${workspace}/usage`)
    await goTo('code-rev')
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}/)
    await goTo(traceId ?? '')
    await page.waitForURL(`**/traces/${traceId}`)
    await goTo(session)
    await page.waitForURL(`**/sessions/${session}`)
    await page.getByRole('link', { name: 'of the session' }).waitFor()
    t.is(await page.getByText(session).first().innerText(), session)
    await goTo('no-such-session')
    await page.getByText('Nothing in this workspace has this id.').waitFor()
    t.is(forgive(/404/).length, 1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // An answer that comes after somebody closed the palette takes nobody away from where they are.
    const asked = Promise.withResolvers<Route>()
    await page.route(/\/lookup\?/, (route) => asked.resolve(route))
    await goTo(traceId ?? '')
    const late = await asked.promise
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await actAndSettle(page, async () => {
      await page.getByRole('link', { name: 'Keys' }).click()
      await page.waitForURL(`**${workspace}/keys`)
      const answered = page.waitForResponse(/\/lookup\?/)
      await late.continue()
      await answered
    })
    t.is(new URL(page.url()).pathname, `${workspace}/keys`)
  },
)

test.serial('the live page says that earlier spans could not be loaded, until a retry loads them', async (t) => {
  const tenant = await service.addWorkspace()
  await send(['the earlier one'], {}, tenant)
  const { page, forgive } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const earlier = /\/events\?/
  await page.route(earlier, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"No earlier spans"}' }),
  )
  await go(page, `/w/${tenant.workspaceId}/live`)
  const note = page.getByRole('main').getByRole('alert').filter({ hasText: 'No earlier spans.' })
  await note.waitFor()
  await send(['the later one'], {}, tenant)
  await page.getByRole('link', { name: 'the later one' }).waitFor()
  t.is(await note.count(), 1)
  await page.getByText('Live', { exact: true }).last().waitFor()
  await page.unroute(earlier)
  const retried = Promise.withResolvers<Route>()
  await page.route(earlier, (route) => retried.resolve(route))
  await note.getByRole('button', { name: 'Retry' }).click()
  const asked = await retried.promise
  await note.waitFor({ state: 'detached' })
  t.deepEqual(await rowNames(page), ['the later one'], 'the stream goes on')
  await asked.continue()
  await page.getByRole('link', { name: 'the earlier one' }).waitFor()
  t.deepEqual(await rowNames(page), ['the later one', 'the earlier one'])
  t.is(await note.count(), 0)
  forgive(/Failed to load resource/)
})
