// Check 14: redraws a chart of ten series with 2,000 points each: the cost by model of the overview, by minute.
import type { Page } from 'playwright-core'
import { makeSpan, type OtlpSpan } from '../_kit/spans.ts'
import { openAndSettle } from '../dashboard/_pages.ts'
import { sendSpans } from '../dashboard/_traces.ts'
import { type Move, rest, timeFrames, timeReaction } from './_page-clock.ts'
import { pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, settle, withPage } from './_page-stage.ts'
import { type Figure, median } from './_report.ts'

const minutes = 2_000
const minuteMs = 60_000
const ceiling = 34
const redraws = 60
const moves = 20

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

/** The page requests fewer points and only five models: its request is changed, and the answer comes from the service. */
async function askForMore(page: Page): Promise<void> {
  await page.route(/\/stats\/timeseries\?.*group_by=model/, async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('interval', '1m')
    url.searchParams.set('top', String(models.length))
    await route.continue({ url: url.href })
  })
}

type Drawn = {
  readonly idleMs: number
  readonly resizedMs: number
  readonly resizedCpuMs: number
  readonly clickMs: number
  readonly refreshedMs: number
  readonly hoverMs: number
}

const plot = `document.querySelector('[role=application][aria-label="Cost by model"]')`

/** Changes the width in each frame, so that each frame redraws the chart, and waits until the previous frame is on the screen. */
const resize: Move = `((plot, wide) => (share) => {
  plot.style.width = share === 1 ? '' : (wide - 10 - (Math.round(share * ${redraws}) % 2) * 10) + 'px'
})(${plot}, ${plot}.clientWidth)`

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
  await askForMore(page)
  await openAndSettle(page, path)
  await checkChart(page)
  const click = async (act: () => Promise<void>): Promise<number> =>
    (await timeReaction(page, { type: 'click', shown: '() => true', act })).ms
  const idle = await timeFrames(page, redraws, rest)
  const resized = await timeFrames(page, redraws, resize)
  return {
    idleMs: median(idle.gapsMs),
    resizedMs: median(resized.gapsMs),
    resizedCpuMs: resized.cpuMs,
    clickMs: await click(async () => await page.locator('h1').click()),
    // The window is fixed, so that no request is sent; the shown data is redrawn within the click.
    refreshedMs: await click(async () => await page.getByRole('button', { name: 'Refresh' }).click()),
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
      name: '10 x 2,000 points and three charts: drawn by Refresh',
      ms: of('refreshedMs'),
      ceiling,
      ...clicked,
    }),
    pageFigure('10 x 2,000 points: the pointer moves, and its values show', of('hoverMs'), 'ms'),
  ]
}
