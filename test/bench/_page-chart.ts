// Check 14: redraws a chart of ten series with 2,000 points each: the cost by model of the overview, by minute.
import type { Page } from 'playwright-core'
import { makeSpan, type OtlpSpan } from '../_kit/spans.ts'
import { actAndSettle, openAndSettle } from '../dashboard/_pages.ts'
import { sendSpans } from '../dashboard/_traces.ts'
import { type Move, measureCpu, rest, timeFrames, timeReaction } from './_page-clock.ts'
import { pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, settle, withPage } from './_page-stage.ts'
import { type Figure, median } from './_report.ts'

const minutes = 2_000
const minuteMs = 60_000
const ceiling = 34
const redraws = 60
const moves = 20
const changes = 20

/** Models that all have a price. */
const models = [
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-4.1',
  'gpt-4.1-mini',
  'gpt-4.1-nano',
  'gpt-4-turbo',
  'gpt-3.5-turbo',
  'o1',
  'o3',
  'o4-mini',
]

/** Makes one call of each model in each minute, so that every series has a value at every point. */
function makeCalls(fromMs: number): OtlpSpan[] {
  return Array.from({ length: minutes * models.length }, (_, at) => {
    const minute = Math.floor(at / models.length)
    const model = models[at % models.length] ?? ''
    return makeSpan({
      name: `chat ${model}`,
      start: fromMs + minute * minuteMs + 1_000,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 500 + ((minute * 37 + at * 11) % 1_000),
        'gen_ai.usage.output_tokens': 100,
      },
    })
  })
}

const asksForModels = /\/stats\/timeseries\?.*group_by=model/

type Answers = {
  /** From now on, one point of the answer of the service is different. */
  change(): void
}

/** The page requests fewer points and only five models: its request is changed, and the answer comes from the service. */
async function askForMore(page: Page): Promise<Answers> {
  let isChanged = false
  await page.route(asksForModels, async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('interval', '1m')
    url.searchParams.set('top', String(models.length))
    if (!isChanged) return await route.continue({ url: url.href })
    const response = await route.fetch({ url: url.href })
    const answer = (await response.json()) as { series: { points: { cost_usd: number }[] }[] }
    const point = answer.series[0]?.points[minutes / 2]
    if (point === undefined) throw new Error('the answer has no such point')
    point.cost_usd *= 2
    await route.fulfill({ response, json: answer })
  })
  return {
    change() {
      isChanged = true
    },
  }
}

type Drawn = {
  readonly idleMs: number
  readonly resizedMs: number
  readonly resizedCpuMs: number
  readonly clickMs: number
  readonly refreshedMs: number
  readonly refreshedCpuMs: number
  readonly answeredMs: number
  readonly redrawnMs: number
  readonly redrawnCpuMs: number
  readonly hoverMs: number
}

const plot = `document.querySelector('[role=application][aria-label="Cost by model"]')`

/** Changes the width in each frame, so that each frame redraws the chart, and waits until the previous frame is on the screen. */
const resize: Move = `((plot, wide) => (share) => {
  plot.style.width = share === 1 ? '' : (wide - 10 - (Math.round(share * ${redraws}) % 2) * 10) + 'px'
})(${plot}, ${plot}.clientWidth)`

/** Measures from the arrival of an answer with another point until the chart is drawn with it. */
async function drawAnswer(page: Page, answers: Answers): Promise<number> {
  answers.change()
  await page.evaluate(`clock.watchDraws(${plot}.querySelector('canvas'))`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  return await page.evaluate<number>(`(async () => {
    const since = clock.drawnAtMs ?? performance.now()
    const arrivalMs = () => performance.getEntriesByType('resource').findLast(({ name }) => ${asksForModels}.test(name)).responseEnd
    const endMs = await clock.shown(() => arrivalMs() > since && clock.drawnAtMs > arrivalMs())
    return endMs - arrivalMs()
  })()`)
}

/**
 * Changes a point of the data that the page holds, and measures until the chart is drawn with it. All other points are the same objects, so
 * that the comparison of two answers of megabytes is no part of it.
 */
async function redraw(page: Page): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const { result, cpuMs } = await measureCpu(page, async () => {
    return await page.evaluate<number[]>(`(async () => {
      const { queries } = __TSR_ROUTER__.options.context
      const isOfModels = ({ queryKey }) => queryKey.includes('model')
      const [query] = queries.getQueryCache().findAll({ type: 'active', queryKey: ['stats', 'series'], predicate: isOfModels })
      const times = []
      for (let nth = 1; nth <= ${changes}; nth += 1) {
        const [first, ...others] = query.state.data.series
        const points = first.points.with(nth, { ...first.points[nth], cost_usd: 2 * first.points[nth].cost_usd })
        await clock.frame()
        const startMs = performance.now()
        queries.setQueryData(query.queryKey, { ...query.state.data, series: [{ ...first, points }, ...others] })
        times.push((await clock.shown(() => clock.drawnAtMs > startMs)) - startMs)
      }
      return times
    })()`)
  })
  return { ms: median(result), cpuMs: cpuMs / changes }
}

const said = `${plot}.closest('figure').innerText`

/** Throws if the chart does not show all series. */
async function checkChart(page: Page): Promise<void> {
  const figure = page.getByRole('figure', { name: 'Cost by model' })
  const labels = await figure.locator('li').allInnerTexts()
  const missing = models.filter((model) => !labels.some((label) => label.includes(model)))
  if (labels.length !== models.length || missing.length > 0)
    throw new Error(`the chart shows ${labels.length} series: ${labels.join(', ')}`)
  const isWithoutPrice = labels.some((label) => label.includes('—'))
  if (isWithoutPrice) throw new Error(`a model has no price: ${labels.join(', ')}`)
}

/** Measures from a move of the pointer until the legend shows the values below it. */
async function hover(page: Page): Promise<number> {
  const box = await page.getByRole('application', { name: 'Cost by model' }).boundingBox()
  if (box === null) throw new Error('the chart is not shown')
  const times: number[] = []
  for (let nth = 1; nth <= moves; nth += 1) {
    const before = JSON.stringify(await page.evaluate<string>(said))
    const { ms } = await timeReaction(page, {
      type: 'mousemove',
      shown: `() => ${said} !== ${before}`,
      act: async () => await page.mouse.move(box.x + 80 + ((box.width - 100) * nth) / moves, box.y + 60),
    })
    times.push(ms)
  }
  return median(times)
}

async function draw(page: Page, path: string): Promise<Drawn> {
  const answers = await askForMore(page)
  await openAndSettle(page, path)
  await checkChart(page)
  const click = async (act: () => Promise<void>): Promise<number> =>
    (await timeReaction(page, { type: 'click', shown: '() => true', act })).ms
  const idle = await timeFrames(page, redraws, rest)
  const resized = await timeFrames(page, redraws, resize)
  const clickMs = await click(async () => await page.locator('h1').click())
  // The answers are those that the page has: it starts its requests, and has nothing to draw.
  const refresh = async (): Promise<void> => await page.getByRole('button', { name: 'Refresh' }).click()
  const refreshed = await measureCpu(page, async () => await click(async () => await actAndSettle(page, refresh)))
  const answeredMs = await drawAnswer(page, answers)
  const redrawn = await redraw(page)
  return {
    idleMs: median(idle.gapsMs),
    resizedMs: median(resized.gapsMs),
    resizedCpuMs: resized.cpuMs,
    clickMs,
    refreshedMs: refreshed.result,
    refreshedCpuMs: refreshed.cpuMs,
    answeredMs,
    redrawnMs: redrawn.ms,
    redrawnCpuMs: redrawn.cpuMs,
    hoverMs: await hover(page),
  }
}

export async function measureChart(stage: Stage): Promise<Figure[]> {
  const person = await addTenant(stage)
  const toMs = Math.floor(Date.now() / minuteMs) * minuteMs
  const fromMs = toMs - minutes * minuteMs
  await sendSpans(stage.baseUrl, person, makeCalls(fromMs))
  await settle(stage, person.workspaceId)
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString())
  const window = new URLSearchParams({ from_time: from ?? '', to_time: to ?? '' }).toString()
  const path = `/w/${person.workspaceId}?${window}`
  const drawn = await repeat(async () => await withPage(stage, { person }, async (page) => await draw(page, path)))
  const of = (name: keyof Drawn): number[] => drawn.map((each) => each[name])
  const clicked = { control: 'a click that changes nothing', controlMs: of('clickMs') }
  return [
    ...timeFigures({
      name: '10 x 2,000 points: drawn in another width',
      ms: of('resizedMs'),
      ceiling,
      control: 'a frame without a change',
      controlMs: of('idleMs'),
    }),
    pageFigure('  CPU of the page for a frame', of('resizedCpuMs'), 'ms'),
    ...timeFigures({
      name: '10 x 2,000 points: drawn with one other point',
      ms: of('redrawnMs'),
      ceiling,
      control: 'a frame without a change',
      controlMs: of('idleMs'),
    }),
    pageFigure('  CPU of the page for it', of('redrawnCpuMs'), 'ms'),
    pageFigure('10 x 2,000 points: drawn after the answer to Refresh', of('answeredMs'), 'ms'),
    ...timeFigures({
      name: '10 x 2,000 points and three charts: Refresh clicked',
      ms: of('refreshedMs'),
      ceiling,
      ...clicked,
    }),
    pageFigure('  CPU of the page for it and for its answers', of('refreshedCpuMs'), 'ms'),
    pageFigure('10 x 2,000 points: the pointer moves, and its values show', of('hoverMs'), 'ms'),
  ]
}
