// The address holds the state of a list and of what is opened from it, and restores both; new data never moves the rows that a user reads.
import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { PageOptions } from '../_kit/browser.ts'
import { isSoak } from '../_kit/soak.ts'
import { makeSpan } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { actAndSettle, goAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const traces = `/w/${service.workspaceId}/traces`
const minuteMs = 60_000
/** More than one page of the list. */
const failed = 60

const makeTrace = (at: number, name: string, code: number) =>
  makeSpan({
    name,
    start: Date.now() - 30 * minuteMs - at * 1_000,
    durationMs: 100 + at,
    status: { code },
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'session.id': 'session 1' },
  })

test.before(async () => {
  await sendSpans(service.baseUrl, service, [
    ...Array.from({ length: failed }, (_, at) => makeTrace(at, `failed ${at}`, 2)),
    ...Array.from({ length: 5 }, (_, at) => makeTrace(200 + at, `good ${at}`, 0)),
  ])
  await service.settled()
})

async function openPage(t: ExecutionContext, options: PageOptions = { keep: keepApp }): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, ...options })
  await signIn(page, service.baseUrl, service)
  return page
}

const rowNames = async (page: Page): Promise<string[]> =>
  await page.evaluate("[...document.querySelectorAll('[data-row-link] a')].map((link) => link.innerText)")
const pathOf = (page: Page): string => page.url().slice(service.baseUrl.length)

/** Returns the values of the controls of the list. */
const readControls = async (page: Page): Promise<unknown> =>
  await page.evaluate(
    "[...document.querySelectorAll('[aria-label=Filters] :is(select, input)')].map(({ value }) => value)",
  )

test.serial(
  'check 16: filters, window, order and peek survive a reload, back and forward, and a link in a fresh session',
  async (t) => {
    const page = await openPage(t)
    await goAndSettle(page, traces)
    const steps = [pathOf(page)]
    const choose = async (label: string, value: string, found: RegExp): Promise<void> => {
      await page.getByRole('group', { name: 'Filters' }).getByLabel(label).selectOption(value)
      await page.waitForURL(found)
      steps.push(pathOf(page))
    }
    // First what leaves few rows, since each of the later steps draws them again. What is typed makes no entry of the history.
    await page.getByLabel('At least (ms)').fill('150')
    await page.waitForURL(/min_duration_ms=150/)
    await page.getByLabel('Session').fill('session 1')
    await page.waitForURL(/session_id=session/)
    steps[0] = pathOf(page)
    await choose('Status', 'error', /status=error/)
    await choose('Model', 'gpt-4o', /model=gpt-4o/)
    await choose('Order', 'duration_ms', /order_by=duration_ms/)
    await page.getByRole('link', { name: 'failed 59' }).waitFor()
    await page.getByRole('button', { name: /^Last 24 hours/ }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.waitForURL(/range=7d/)
    await page.getByRole('button', { name: 'Preview failed 59' }).click()
    await page.waitForURL(/peek=/)
    const peek = page.getByRole('complementary', { name: 'Preview' })
    await peek.getByRole('heading', { name: 'failed 59' }).waitFor()
    const whole = pathOf(page)
    const controls = await readControls(page)
    // Until the answer arrives, the rows of the previous filters are shown, which include this trace.
    await until(async () => (await rowNames(page)).length === 10)
    const names = await rowNames(page)
    t.is(names[0], 'failed 59')
    const copies = await copyLinks(page)
    t.is(copies.live, service.baseUrl + whole)
    const frozen = new URL(copies.frozen)
    const { from_time: from = '', to_time: to = '', ...rest } = Object.fromEntries(frozen.searchParams)
    t.is(Date.parse(to) - Date.parse(from), 7 * 24 * 60 * minuteMs)
    t.deepEqual({ ...rest, range: '7d' }, Object.fromEntries(new URL(copies.live).searchParams))

    const expectWhole = async (shown: Page): Promise<void> => {
      await shown.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: 'failed 59' }).waitFor()
      t.is(pathOf(shown), whole)
      // The list and the choices of its controls are requested separately from the peek.
      await until(async () => isDeepStrictEqual(await readControls(shown), controls))
      await until(async () => isDeepStrictEqual(await rowNames(shown), names))
      await shown.getByRole('button', { name: /^Last 7 days/ }).waitFor()
    }
    await page.reload()
    await expectWhole(page)
    await expectWhole(await openLink(t, whole))
    for (const step of steps.toReversed()) {
      await page.goBack()
      await page.waitForURL(service.baseUrl + step)
    }
    for (const _ of steps) await page.goForward()
    await expectWhole(page)
  },
)

/** Copies both links of the page by the keyboard. Then the key for the filters moves the focus. */
async function copyLinks(page: Page): Promise<{ readonly live: string; readonly frozen: string }> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const read = async (): Promise<string> => await page.evaluate<string>('navigator.clipboard.readText()')
  const copy = async (...keys: readonly string[]): Promise<string> => {
    const before = await read()
    await page.keyboard.press('c')
    await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await until(async () => (await read()) !== before)
    return await read()
  }
  const copies = { live: await copy('Enter'), frozen: await copy('ArrowDown', 'Enter') }
  await page.keyboard.press('/')
  await page.getByRole('group', { name: 'Filters' }).getByLabel('Status').and(page.locator(':focus')).waitFor()
  return copies
}

async function openLink(t: ExecutionContext, path: string): Promise<Page> {
  const page = await openPage(t, {})
  await page.goto(path)
  return page
}

test.serial('check 16: a trace keeps its span, its view and its search text', async (t) => {
  const { items } = (await service.call('GET', `/v1/workspaces/${service.workspaceId}/events?limit=1`)).json as {
    items: { trace_id: string; span_id: string; name: string }[]
  }
  const [event] = items
  if (event === undefined) throw new Error('there is no event')
  const path = `${traces}/${event.trace_id}?view=transcript&span=${event.span_id}#find=needle`
  const page = await openPage(t)
  for (const open of [() => goAndSettle(page, path), () => page.reload()]) {
    await open()
    await page.getByRole('complementary', { name: `Span ${event.name}` }).waitFor()
    t.is(await page.getByRole('button', { name: 'Transcript' }).getAttribute('aria-pressed'), 'true')
    t.is(await page.getByLabel('Find in this trace').inputValue(), 'needle')
    t.is(pathOf(page), path)
  }
})

test.serial(
  'check 19: the next trace, the previous one and the way back keep the filter and the order of the list',
  async (t) => {
    const page = await openPage(t)
    const list = `${traces}?status=error&order_by=duration_ms`
    await goAndSettle(page, list)
    const names = await rowNames(page)
    t.is(names.length, 50)
    await page.getByRole('link', { name: 'failed 12', exact: true }).click()
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    await heading('failed 12').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await heading('failed 11').waitFor()
    await page.keyboard.press('K')
    await heading('failed 12').waitFor()
    // Twice before the page can show the next trace, also across the end of the list's first page.
    for (const at of [10, 8]) {
      await page.evaluate(
        `for (const key of 'JJ') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
      )
      await heading(`failed ${at}`).waitFor()
    }
    await page.keyboard.press('J')
    await heading('failed 7').waitFor()
    t.is(new URL(page.url()).search, '?status=error&order_by=duration_ms')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Traces' }).click()
    await heading('Traces').waitFor()
    t.is(pathOf(page), list)
    await page.getByRole('link', { name: 'failed 7', exact: true }).waitFor()

    // The router takes the position from the event of the scrolling, which comes with the next frame.
    await actAndSettle(page, async () => await page.getByRole('link', { name: 'failed 30', exact: true }).focus())
    const place = await readPlace(page)
    await page.keyboard.press('Enter')
    await heading('failed 30').waitFor()
    await page.goBack()
    await until(async () => isDeepStrictEqual(await readPlace(page), place))
    await page.keyboard.press('j')
    await page.locator('a:focus', { hasText: /^failed 29$/ }).waitFor()
    // A table that draws only the rows in sight.
    // It is opened: an entry of the history that a test makes has no key by which the app knows it again.
    await openAndSettle(page, `/w/${service.workspaceId}/events`)
    await page.evaluate("document.querySelector('[data-scroll-restoration-id]').scrollTop = 900")
    const row = page.locator('[data-row="40"] th a')
    await actAndSettle(page, async () => await row.focus())
    const span = await row.innerText()
    await page.keyboard.press('Enter')
    await heading(span).waitFor()
    await page.goBack()
    await page.locator('tbody a:focus', { hasText: span }).waitFor()
  },
)

/** Where on the screen the element is that has the focus, and its text. The page is scrolled down to it. */
async function readPlace(page: Page): Promise<readonly [top: number, text: string]> {
  const read = '[scrollY > 0, activeElement.getBoundingClientRect().top, activeElement.innerText]'
  const [isScrolled, top, text] = await page.evaluate<[boolean, number, string]>(
    `(({ activeElement }) => ${read})(document)`,
  )
  return [isScrolled ? top : Number.NaN, text]
}

test.serial('the focus moves to a row that is still being loaded, however late the page draws it', async (t) => {
  const page = await openPage(t, {})
  await openAndSettle(page, `${traces}?status=error&order_by=duration_ms`)
  await page.evaluate(`(() => {
    const wait = globalThis.setTimeout
    globalThis.setTimeout = (run, ms = 0, ...more) => wait(run, ms === 0 ? 300 : ms, ...more)
  })()`)
  await page.getByRole('link', { name: 'failed 10', exact: true }).focus()
  await page.keyboard.press('j')
  await page.locator('a:focus', { hasText: /^failed 9$/ }).waitFor()
  t.is((await rowNames(page)).length, failed)
})

test.serial(
  'check 18: a relative range moves with the clock, fixed bounds do not, and bounds take precedence',
  async (t) => {
    const page = await openPage(t, { hasClock: true, keep: keepApp })
    const ends: { readonly asking: string; readonly to: string }[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/stats/timeseries'))
        ends.push({ asking: page.url(), to: url.searchParams.get('to_time') ?? '' })
    })
    await goAndSettle(page, `${traces}?range=24h`)
    const first = ends.at(-1)?.to ?? ''
    const moved = page.waitForRequest((request) => {
      const to = request.url().includes('/stats/timeseries') ? new URL(request.url()).searchParams.get('to_time') : null
      return to !== null && Date.parse(to) >= Date.parse(first) + 25_000
    })
    await page.clock.fastForward(31_000)
    await moved

    const bounds = { from_time: '2026-11-20T00:00:00.000Z', to_time: '2026-11-21T00:00:00.000Z' }
    await goAndSettle(page, `${traces}?${new URLSearchParams({ range: '7d', ...bounds }).toString()}`)
    await page.getByText('Not used: range=7d (from_time and to_time take precedence).').waitFor()
    await page.clock.fastForward(61_000)
    await actAndSettle(page, async () => await page.getByRole('button', { name: 'Refresh' }).click())
    // The previous page may still have sent requests while this one was loading.
    const own = ends.filter(({ asking }) => asking.includes('from_time='))
    t.deepEqual(new Set(own.map(({ to }) => to)), new Set([bounds.to_time]))
  },
)

test.serial(
  'check 20: later rows are counted, and shown on request; focus, scroll position and filters stay',
  async (t) => {
    const page = await openPage(t, { hasClock: true, keep: keepApp })
    const list = `${traces}?status=error&session_id=session+1`
    await goAndSettle(page, list)
    const names = await rowNames(page)
    const link = page.getByRole('link', { name: 'failed 40', exact: true })
    await link.focus()
    const before = await readPlace(page)
    t.false(Number.isNaN(before[0]))
    const fresh = makeTrace(0, 'fresh failure', 2)
    const start = BigInt(Date.now()) * 1_000_000n
    await sendSpans(service.baseUrl, service, [
      { ...fresh, startTimeUnixNano: start.toString(), endTimeUnixNano: (start + 1_000_000n).toString() },
    ])
    await service.settled()
    await page.clock.fastForward(31_000)
    const pill = page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    t.deepEqual(await rowNames(page), names)
    t.deepEqual(await readPlace(page), before)
    t.is(pathOf(page), list)
    await pill.click()
    await page.getByRole('link', { name: 'fresh failure' }).waitFor()
    t.is((await rowNames(page))[0], 'fresh failure')
    t.is(pathOf(page), list)
  },
)

// The two lists have this from the same code.
for (const list of isSoak ? (['traces', 'events'] as const) : (['traces'] as const)) {
  test.serial(
    `the ${list} of an empty window appear without a click, and a refresh shows those that come later`,
    async (t) => {
      const tenant = await service.addWorkspace()
      const page = await openPage(t, { hasClock: true, keep: keepApp })
      await goAndSettle(page, `/w/${tenant.workspaceId}/${list}`)
      await page.getByText(/^No span has been stored/).waitFor()
      const send = async (name: string): Promise<void> => {
        await sendSpans(service.baseUrl, tenant, [makeSpan({ name, start: Date.now() })])
        await service.settled()
      }
      await send('the first')
      await page.clock.fastForward(31_000)
      // Exact, since the empty page has a link "Send the first trace".
      await page.getByRole('link', { name: 'the first', exact: true }).waitFor()
      await send('the second')
      await page.clock.fastForward(31_000)
      await page.getByRole('button', { name: '1 new' }).waitFor()
      await page.getByText(/^1 (trace|span), without the new ones\.$/).waitFor()
      await page.keyboard.press('r')
      await page.getByRole('link', { name: 'the second' }).waitFor()
      await page.getByText(/^2 (traces|spans), all of this window\.$/).waitFor()
      t.is(await page.getByRole('button', { name: /new$/ }).count(), 0)
    },
  )
}

test.serial(
  'calls without a model are counted, and neither a link nor a filter searches for a model called unknown',
  async (t) => {
    const tenant = await service.addWorkspace()
    const unnamed = makeSpan({ name: 'chat', attributes: { 'gen_ai.operation.name': 'chat' } })
    await sendSpans(service.baseUrl, tenant, [makeTrace(0, 'named', 0), unnamed])
    const page = await openPage(t)
    await goAndSettle(page, `/w/${tenant.workspaceId}`)
    const rows = page.getByRole('region', { name: 'Top models' }).getByRole('row')
    await rows.filter({ hasText: 'unknown' }).waitFor()
    t.deepEqual(await rows.getByRole('link').allInnerTexts(), ['gpt-4o'])
    await goAndSettle(page, `/w/${tenant.workspaceId}/traces`)
    const models = page.getByRole('group', { name: 'Filters' }).getByLabel('Model').getByRole('option')
    await models.filter({ hasText: 'gpt-4o' }).waitFor({ state: 'attached' })
    t.deepEqual(await models.allInnerTexts(), ['any', 'gpt-4o (1 span)'])
  },
)

test.serial('"As API" of the list of agents contains no filter that the service ignores', async (t) => {
  const page = await openPage(t)
  await goAndSettle(page, `/w/${service.workspaceId}/agents?status=idle`)
  await page.getByText('No agent matches the filters.').waitFor()
  await page.getByRole('button', { name: 'As API' }).click()
  const dialog = page.getByRole('dialog')
  t.regex(await dialog.locator('pre').innerText(), /\/agents\?limit=200'/)
  await dialog.getByText('Name, status and order are not part of the request').waitFor()
})

test.serial('a model that makes embeddings has no LLM calls, and the column says that it counts these', async (t) => {
  const tenant = await service.addWorkspace()
  const attributes = {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.request.model': 'text-embedding-3-small',
    'gen_ai.usage.input_tokens': 1_000_000,
  }
  await sendSpans(service.baseUrl, tenant, [makeSpan({ name: 'embeddings', attributes })])
  const page = await openPage(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}`)
  const models = page.getByRole('region', { name: 'Top models' })
  await models.getByRole('row').filter({ hasText: 'text-embedding-3-small' }).getByText('0', { exact: true }).waitFor()
  t.deepEqual(await models.getByRole('columnheader').allInnerTexts(), ['Model', 'LLM calls', 'Cost', 'Share'])
})

test.serial('Space presses the control that has the focus, and previews a trace from a row', async (t) => {
  const page = await openPage(t)
  await goAndSettle(page, `${traces}?status=error&order_by=duration_ms`)
  const peeked = page.getByRole('complementary', { name: 'Preview' }).getByRole('heading')
  const table = page.getByText('Table', { exact: true })
  await table.focus()
  await page.keyboard.press(' ')
  await page.getByRole('table', { name: 'Running traces and failures' }).waitFor()
  t.is(await peeked.count(), 0)
  await page.getByRole('button', { name: 'Preview failed 57' }).focus()
  await page.keyboard.press(' ')
  await peeked.filter({ hasText: 'failed 57' }).waitFor()
  await page.getByRole('link', { name: 'failed 55', exact: true }).focus()
  await page.keyboard.press(' ')
  await peeked.filter({ hasText: 'failed 55' }).waitFor()
})

test.serial('"As API" of the list of traces contains the filters that the list uses', async (t) => {
  const page = await openPage(t)
  await goAndSettle(page, `${traces}?status=lost&min_duration_ms=long&model=gpt-4o&min_cost_usd=0.5`)
  await page.getByRole('button', { name: 'As API' }).click()
  const line = await page.getByRole('dialog').locator('pre').innerText()
  const [, query = ''] = /\/traces\?([^']+)'/.exec(line) ?? []
  const { from_time: from, to_time: to, ...filters } = Object.fromEntries(new URLSearchParams(query))
  t.deepEqual(filters, { model: 'gpt-4o', min_cost_usd: '0.5' })
  t.true(from !== undefined && to !== undefined)
})
