// Figures that must not mislead: costs without a price, rules at a loss, outcomes that add up, charts as tables, and time zones.
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { PageOptions } from '../_kit/browser.ts'
import { type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { isSoak } from '../_kit/soak.ts'
import { encodeRequest, makeSpan } from '../_kit/spans.ts'
import { addDecision } from '../_kit/workspace.ts'
import { exportSpans } from '../demo/interface.ts'
import { actAndSettle, goAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

async function openPage(t: ExecutionContext, options: PageOptions = { keep: keepApp }): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 900 }, ...options })
  await signIn(page, service.baseUrl, service)
  return page
}

const call = (model: string, known: Parameters<typeof makeSpan>[0] = {}) =>
  makeSpan({
    name: `chat ${model}`,
    ...known,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 100,
    },
  })

const read = async (tenant: Tenant, path: string): Promise<unknown> =>
  (await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/${path}`)).json

test.serial('check 23: a cost without a price is a dash, an incomplete sum has `≥`, and neither is zero', async (t) => {
  const tenant = await service.addWorkspace()
  await sendSpans(service.baseUrl, tenant, [call('gpt-4o'), call('house-model-7')])
  const page = await openPage(t)
  for (const path of ['', '/agents', '/traces']) {
    await goAndSettle(page, `/w/${tenant.workspaceId}${path}`)
    await page
      .getByText(path === '/traces' ? '—' : /^≥ \$0\.0/)
      .first()
      .waitFor()
    const text = await page.locator('main').innerText()
    t.notRegex(text, /\$0\.00(?!\d)/, path)
    t.is(/model cost/i.test(text), path !== '/traces', 'sums over agents say that they are of model calls')
    if (path === '/agents') await page.getByTitle(/^Failures among the events of this agent itself\./).waitFor()
    if (path === '') {
      const rows = page.getByRole('region', { name: 'Top models' }).getByRole('row')
      t.regex(await rows.filter({ hasText: 'house-model-7' }).innerText(), /—/)
      await checkCostChart(page, tenant)
    }
  }
  await page.getByRole('link', { name: 'chat house-model-7' }).click()
  await page.getByRole('treegrid').getByText('chat house-model-7').click()
  await page.getByText('— no price for house-model-7').waitFor()
})

/** One model has a price and one has none, in the legend, the sentence and the table of the chart. */
async function checkCostChart(page: Page, tenant: Tenant): Promise<void> {
  const { series } = (await read(tenant, 'stats/timeseries?group_by=model')) as Timeseries
  const unpriced = series.map(({ key, points }) => [key, points.reduce((sum, point) => sum + point.unpriced_calls, 0)])
  if (Object.fromEntries(unpriced)['house-model-7'] !== 1)
    throw new Error(`no call without a price: ${JSON.stringify(unpriced)}`)
  const figure = page.getByRole('figure', { name: 'Cost by model' })
  const legend = figure.getByRole('listitem')
  await legend.filter({ hasText: 'house-model-7' }).getByText('—', { exact: true }).waitFor()
  await legend
    .filter({ hasText: 'gpt-4o' })
    .getByText(/^\$0\.00\d/)
    .waitFor()
  await figure.getByText(/^Cost: ≥ \$0\.00\d+ in total, highest ≥ .*, 1 call has no price\.$/).waitFor()
  await figure.getByText('Table', { exact: true }).click()
  await figure.locator('tfoot').getByRole('cell', { name: '—', exact: true }).waitFor()
}

test.serial('check 36: a rule that costs more than it saves stands first on the overview, with its sign', async (t) => {
  const tenant = await service.addWorkspace()
  const tools = ['search', 'other'] as const
  const gaining = await addDecision(service.query, tenant.workspaceId, { inputHash: 'input' })
  await service.query(`update decisions set tool_name = 'other' where id = $1`, [gaining])
  const losing = await addDecision(service.query, tenant.workspaceId, { inputHash: 'input' })
  const startMs = Date.now() - 3_600_000
  const turns = Array.from({ length: 40 }, (_, nth): EventSeed[] => {
    const [tool = 'search', served] = [tools[nth % 2], nth % 4 < 2]
    const isLosing = tool === 'search'
    const trace = hexId(nth + 1, 32)
    const start = (seconds: number): string => new Date(startMs + nth * 60_000 + seconds * 1_000).toISOString()
    return [
      {
        start: start(0),
        trace,
        span: hexId(2 * nth + 1, 16),
        kind: 'tool',
        tool,
        callId: `call ${nth}`,
        served,
        ...(served ? { decisionId: isLosing ? losing : gaining } : { inputHash: 'input', providedCostUsd: 0.001 }),
      },
      // A real result of the losing rule's tool is found in the cache, a served one is not.
      {
        start: start(1),
        trace,
        span: hexId(2 * nth + 2, 16),
        model: 'gpt-4o',
        consumed: [`call ${nth}`],
        input: 10_000,
        costUsd: 0.02,
        cached: isLosing && served ? 0 : 8_000,
        savingsUsd: isLosing && served ? 0 : 0.01,
      },
    ]
  })
  await storeEvents(service.query, tenant.workspaceId, turns.flat())
  const { net_usd: net, decisions: rules } = (await read(tenant, 'stats/savings')) as {
    net_usd: number
    decisions: { decision_id: string; net_usd: number }[]
  }
  const lost = rules.find(({ decision_id: id }) => id === losing)?.net_usd ?? 0
  t.true(lost < 0 && net < 0, `${lost} ${net}`)
  const page = await openPage(t)
  await goAndSettle(page, `/w/${tenant.workspaceId}`)
  const usd = (value: number): string => `−$${Math.abs(value).toFixed(4)}`
  await page.getByText(`The rule on search costs more than it saves: ${usd(lost)} net in this window.`).waitFor()
  await page.getByText(usd(net)).first().waitFor()
  await page.getByText('20 calls served, at a loss').waitFor()
  const text = await page.locator('main').innerText()
  t.true(text.indexOf('costs more than it saves') < text.indexOf('LLM calls'))
  t.false(text.includes('The rule on other'))
})

test.serial(
  'check 37: the outcomes add up to the received spans, and a reason is two clicks from the start page',
  inOneMonth(async (t) => {
    const tenant = await service.addWorkspace()
    const good = call('gpt-4o')
    const broken = makeSpan({ spanId: Buffer.alloc(8) })
    const late = makeSpan({ start: Date.now() - 400 * 86_400_000 })
    for (const spans of [[good, broken, late], [good]]) {
      await exportSpans(service.baseUrl, tenant.key, gzipSync(encodeRequest(spans)))
    }
    const page = await openPage(t)
    await goAndSettle(page, `/w/${tenant.workspaceId}/start`)
    await page.getByRole('status').getByText('invalid_span_id').waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage' }).click()
    await page.getByText('4 received = 1 stored + 1 duplicate + 2 rejected').waitFor()
    // A user who looks for missing spans finds the link to this page.
    await goAndSettle(page, `/w/${tenant.workspaceId}/telemetry`)
    await page.locator('main').getByRole('link', { name: 'Usage' }).click()
    await page.getByText('4 received = 1 stored + 1 duplicate + 2 rejected').waitFor()
    const rows = page.getByRole('region', { name: 'Rejected spans by reason' }).getByRole('row')
    t.regex(
      await rows.filter({ hasText: 'start_time_too_old' }).innerText(),
      /in nanoseconds. Otherwise send spans sooner/,
    )
  }),
)

type Point = { time: string } & Record<'llm_calls' | 'errors' | 'tool_calls' | 'unpriced_calls', number>
type Timeseries = { series: { key: string; points: Point[] }[] }

const openTable = async (page: Page, title: string): Promise<string[][]> => {
  const figure = page.getByRole('figure', { name: title })
  await figure.getByText('Table', { exact: true }).click()
  await figure.getByRole('table').waitFor()
  const name = JSON.stringify(title)
  return await page.evaluate(`(() => {
    const figures = [...document.querySelectorAll('figure')]
    const figure = figures.find((one) => one.querySelector('figcaption').innerText.startsWith(${name}))
    return [...figure.querySelectorAll('tbody tr')].map((row) => [
      row.querySelector('time').dateTime,
      ...[...row.children].map((cell) => cell.innerText),
    ])
  })()`)
}

test.serial(
  'checks 14 and 15: a chart has a sentence, keys that announce values, a table of the numbers, and a drag that sets the window',
  async (t) => {
    const tenant = await service.addWorkspace()
    const startMs = Date.now() - 3_600_000
    await sendSpans(
      service.baseUrl,
      tenant,
      Array.from({ length: 12 }, (_, at) =>
        call('gpt-4o', { start: startMs + at * 60_000, status: { code: at % 3 ? 0 : 2 } }),
      ),
    )
    // The last call is some minutes before the end: a key goes from one minute to the next.
    const endMs = startMs + 900_000
    const from = new Date(endMs - 7_200_000).toISOString()
    const to = new Date(endMs).toISOString()
    const page = await openPage(t)
    const path = `/w/${tenant.workspaceId}?from_time=${encodeURIComponent(from)}&to_time=${encodeURIComponent(to)}`
    await goAndSettle(page, path)
    t.is(await page.getByRole('figure').count(), 4)
    const figure = page.getByRole('figure', { name: 'Calls and failures' })
    t.regex(await figure.innerText(), /LLM calls: 12 in total, highest/)

    const query = `from_time=${from}&to_time=${to}&time_zone=UTC`
    const { series } = (await read(tenant, `stats/timeseries?${query}`)) as Timeseries
    const points = series[0]?.points ?? []
    t.deepEqual(
      (await openTable(page, 'Calls and failures')).map(([time, , ...values]) => [time, ...values]),
      points.map(({ time, llm_calls, tool_calls, errors }) => [time, ...[llm_calls, tool_calls, errors].map(String)]),
    )

    const plot = figure.getByRole('application')
    await plot.focus()
    const last = points.findLastIndex(({ llm_calls: calls }) => calls > 0)
    await page.keyboard.press('End')
    for (let at = points.length - 1; at > last; at -= 1) await page.keyboard.press('ArrowLeft')
    await figure
      .getByRole('status')
      .getByText(/: LLM calls 1, Tool calls 0, Failed spans [01]$/)
      .waitFor()

    const box = await plot.boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    const y = box.y + 60
    await page.mouse.move(box.x + box.width * 0.8, y)
    await figure
      .getByText(/^Nov |\d\d:\d\d–/)
      .first()
      .waitFor()
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.94, y, { steps: 4 })
    // The double click undoes the window that the page shows by then.
    await actAndSettle(page, async () => {
      await page.mouse.up()
      await page.waitForURL((url) => (url.searchParams.get('from_time') ?? from) > from)
    })
    const dragged = new URL(page.url()).searchParams
    t.true(
      points.some(({ time }) => time === dragged.get('from_time')),
      'whole buckets',
    )
    t.true((dragged.get('to_time') ?? '') < to)
    await plot.dblclick({ position: { x: box.width / 2, y: 60 } })
    await page.waitForURL((url) => url.searchParams.get('from_time') === from && url.searchParams.get('to_time') === to)

    // Where the system forces its own colours, lines have those of their names still, and the page of the rail is marked.
    await actAndSettle(page, async () => await page.emulateMedia({ forcedColors: 'active' }))
    t.true((await page.evaluate<number>(countColours)) >= 2)
    t.not(await readEdge(page, 'Overview'), await readEdge(page, 'Usage'))
  },
)

/** How many colours that are no grey fill some pixels of the chart of calls. */
const countColours = `(() => {
  const canvas = document.querySelectorAll('figure canvas')[1]
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const pixels = new Map()
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, opaque] = data.slice(at, at + 4)
    if (opaque < 255 || Math.max(red, green, blue) - Math.min(red, green, blue) < 40) continue
    const colour = [red, green, blue].join()
    pixels.set(colour, (pixels.get(colour) ?? 0) + 1)
  }
  return [...pixels.values()].filter((count) => count >= 10).length
})()`

/** The colour of the left edge of a link of the rail, as it is painted. */
async function readEdge(page: Page, name: string): Promise<string> {
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
  const picture = (await link.screenshot()).toString('base64')
  return await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture}'
    await image.decode()
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')
    pen.drawImage(image, 0, 0)
    return pen.getImageData(1, image.height / 2, 1, 1).data.join()
  })()`)
}

/** With a clock that changes; the soak adds one before UTC, and one with half an hour. A zone starts a process of the browser. */
const zones = [
  ['America/New_York', 'New York, UTC−5'],
  ...(isSoak
    ? ([
        ['Asia/Kolkata', 'Kolkata, UTC+5:30'],
        ['Asia/Shanghai', 'Shanghai, UTC+8'],
      ] as const)
    : []),
] as const

test.serial(
  'check 21: lists, charts and days use the named time zone, also over a night with a repeated hour',
  async (t) => {
    const tenant = await service.addWorkspace()
    // Clocks changed on November 3. That year is over, so dates are shown with their year; ingest accepts no spans that old.
    const night = ['2024-11-02T23:30', '2024-11-03T03:59', '2024-11-03T05:30', '2024-11-03T06:30', '2024-11-04T04:30']
    await storeEvents(
      service.query,
      tenant.workspaceId,
      night.map((time, at) => ({
        start: `${time}:00Z`,
        trace: hexId(at + 1, 32),
        span: hexId(at + 1, 16),
        model: 'gpt-4o',
      })),
    )
    await service.query(
      `update traces set name = 'at ' || to_char(start_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') where workspace_id = $1`,
      [tenant.workspaceId],
    )
    const window = 'from_time=2024-08-01T00:00:00Z&to_time=2024-11-06T00:00:00Z'
    for (const [timeZone, named] of zones) {
      const page = await openPage(t, { timezoneId: timeZone })
      await openAndSettle(page, `/w/${tenant.workspaceId}?${window}`)
      t.true((await page.locator('header').first().innerText()).includes(named), timeZone)
      const { series } = (await read(tenant, `stats/timeseries?${window}&time_zone=${timeZone}`)) as Timeseries
      const points = series[0]?.points ?? []
      const rows = await openTable(page, 'Calls and failures')
      t.deepEqual(
        rows.map(([time = '', , calls = '']) => [time, calls]),
        points.map(({ time, llm_calls: calls }) => [time, String(calls)]),
        timeZone,
      )
      t.is(
        points.reduce((sum, { llm_calls: calls }) => sum + calls, 0),
        night.length,
        timeZone,
      )
      const clock = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'short', day: 'numeric' })
      const isDay = Date.parse(points[2]?.time ?? '') - Date.parse(points[1]?.time ?? '') === 86_400_000
      if (isDay)
        for (const [time = '', label] of rows)
          t.is(
            label?.replace(', only its part in the window', ''),
            clock.format(Date.parse(time)).replace(',', ''),
            `${timeZone} ${time}`,
          )
      await goAndSettle(page, `/w/${tenant.workspaceId}/traces?${window}`)
      const list = new Intl.DateTimeFormat('en-US', {
        timeZone,
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      })
      for (const time of night) {
        const row = page.getByRole('row').filter({ hasText: `at ${time}` })
        const shown = list.format(Date.parse(`${time}:00Z`)).replaceAll(',', '')
        t.true((await row.innerText()).includes(`${shown}:00.000`), `${timeZone} ${time} ${await row.innerText()}`)
      }
    }
  },
)

/** JavaScript of the page: counts from now on how often a chart is drawn. uPlot clears its canvas before it draws. */
const countDraws = `(() => {
  globalThis.draws = 0
  const { clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    globalThis.draws += 1
    clearRect.apply(this, box)
  }
})()`

test.serial('a refresh draws the charts whose figures changed, and no other ones', async (t) => {
  const tenant = await service.addWorkspace()
  await sendSpans(service.baseUrl, tenant, [call('gpt-4o', { start: Date.now() - 5_400_000 })])
  await service.settled()
  const bounds = { from_time: new Date(Date.now() - 7_200_000), to_time: new Date(Date.now() - 3_600_000) }
  const window = Object.entries(bounds).map(([name, time]) => `${name}=${time.toISOString()}`)
  const page = await openPage(t, {})
  await openAndSettle(page, `/w/${tenant.workspaceId}?${window.join('&')}`)
  // The code of the charts is loaded after the page.
  await page.locator('figure canvas').nth(3).waitFor()
  await page.evaluate(countDraws)
  const refresh = async (): Promise<number> => {
    await actAndSettle(page, async () => await page.keyboard.press('r'))
    return await page.evaluate<number>('draws')
  }
  t.is(await refresh(), 0)

  await page.route(/\/stats\/timeseries\?.*group_by=model/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { series: { points: { cost_usd: number }[] }[] }
    const point = answer.series[0]?.points[0]
    if (point === undefined) throw new Error('there is no point')
    point.cost_usd = 12
    await route.fulfill({ response, json: answer })
  })
  t.is(await refresh(), 1)
  t.true((await page.getByRole('figure', { name: 'Cost by model' }).innerText()).includes('highest $12.'))
})

test.serial('the chart of traces says which of its buckets the window cuts', async (t) => {
  const tenant = await service.addWorkspace()
  await sendSpans(service.baseUrl, tenant, [call('gpt-4o', { start: Date.now() - 1_800_000 })])
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const page = await openPage(t)
  const path = `/w/${tenant.workspaceId}/traces?from_time=${day}T00:00:07Z&to_time=${day}T23:59:53Z`
  await goAndSettle(page, path)
  const labels = (await openTable(page, 'Running traces and failures')).map(([, label = '']) => label)
  const cut = labels.flatMap((label, at) => (label.endsWith(', only its part in the window') ? [at] : []))
  t.deepEqual(cut, [0, labels.length - 1])
})
