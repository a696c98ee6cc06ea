// Checks 7 and 8: a trace of 10,000 spans is opened from the list, scrolled, folded and searched.
import type { Page } from 'playwright-core'
import type { Tenant } from '../_kit/sign-up.ts'
import { openAndSettle } from '../dashboard/_pages.ts'
import { countNodes, grid, matchMarks } from '../dashboard/_trace-page.ts'
import { makeLargeTrace, sendSpans } from '../dashboard/_traces.ts'
import {
  type Condition,
  readHeapMiB,
  readLongestTask,
  readSlowestAnswer,
  rest,
  scrollOf,
  timeFrames,
  timeReaction,
} from './_page-clock.ts'
import { p95, pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, settle, withPage } from './_page-stage.ts'
import type { Figure } from './_report.ts'

const largeSpans = 10_000
const smallSpans = 100
/** Five seconds at 60 frames a second: each frame shows other rows. */
const scrollFrames = 300
/** The last span of every complete leg. */
const needles = 99

const gridSelector = '[role=treegrid]'

/** JavaScript of the page: true once this many rows are known and the visible ones are rendered. The header is a row too. */
export const hasRows = (rows: number): Condition => `() =>
  document.querySelector('${gridSelector}')?.getAttribute('aria-rowcount') === '${rows + 1}' &&
  document.querySelectorAll('${gridSelector} [role=rowgroup] [role=row]').length >= ${Math.min(rows, 10)}`

const hasFound: Condition = `() => {
  const said = document.querySelector('[role=toolbar] [role=status]')?.textContent ?? ''
  return /(^| )${needles}$/.test(said) && ${matchMarks} > 0
}`

/** Sends a trace of `count` spans. Returns its id. */
export async function sendTrace(stage: Stage, tenant: Tenant, count: number): Promise<string> {
  const { traceId, spans } = makeLargeTrace(count)
  await sendSpans(stage.baseUrl, tenant, spans)
  await settle(stage, tenant.workspaceId)
  return traceId
}

type Opened = {
  readonly ms: number
  readonly answerMs: number
  readonly longestTaskMs: number
  readonly nodes: number
  readonly heapMiB: number
}

/** Opens the trace from the list of traces, which is completely shown before. */
async function openTrace(page: Page, { workspaceId }: Tenant, traceId: string, spans: number): Promise<Opened> {
  await openAndSettle(page, `/w/${workspaceId}/traces`)
  const link = page.locator(`a[href*="${traceId}"]`).first()
  const act = async (): Promise<void> => await link.click()
  const { ms, startMs } = await timeReaction(page, { type: 'click', shown: hasRows(spans), act })
  const isWhole = `clock.shown(() => clock.isCalm() && document.querySelector('canvas') !== null)`
  await page.evaluate(isWhole)
  return {
    ms,
    answerMs: await readSlowestAnswer(page),
    longestTaskMs: await readLongestTask(page, startMs),
    nodes: await countNodes(page),
    heapMiB: await readHeapMiB(page),
  }
}

/** A click, or with `type: 'input'` a text inserted into the focused field. Ends when its result is painted. */
type Step = { readonly name: string; readonly shown: Condition; readonly act: (page: Page) => Promise<unknown> }

const pressButton =
  (name: string) =>
  async (page: Page): Promise<void> =>
    await page.getByRole('button', { name, exact: true }).click()

const clicks: readonly Step[] = [
  { name: 'fold the root', shown: hasRows(1), act: pressButton('Fold large run') },
  { name: 'unfold the root', shown: hasRows(largeSpans), act: pressButton('Unfold large run') },
  { name: 'fold all', shown: hasRows(1), act: pressButton('Fold all') },
  { name: 'unfold all', shown: hasRows(largeSpans), act: pressButton('Unfold all') },
]

type Used = {
  readonly frameMs: number
  readonly frameCpuMs: number
  readonly idleFrameMs: number
  readonly nothingMs: number
  /** In the order of `clicks`. */
  readonly clickMs: readonly number[]
  readonly findMs: number
  readonly longestTaskMs: number
}

async function useTrace(page: Page): Promise<Used> {
  const idle = await timeFrames(page, scrollFrames, rest)
  const fromMs = await page.evaluate<number>('performance.now()')
  const scrolled = await timeFrames(page, scrollFrames, scrollOf(gridSelector))
  const longestTaskMs = await readLongestTask(page, fromMs)
  await grid(page).evaluate((box) => box.scrollTo(0, 0))
  const time = async (shown: Condition, act: () => Promise<unknown>, type = 'click'): Promise<number> =>
    (await timeReaction(page, { type, shown, act })).ms
  const nothingMs = await time('() => true', async () => await page.locator('h1').click())
  const clickMs: number[] = []
  for (const { shown, act } of clicks) clickMs.push(await time(shown, async () => await act(page)))
  await page.getByRole('searchbox', { name: 'Find in this trace' }).focus()
  // Inserted as one input into the empty field, so that preparing the search is included.
  const findMs = await time(hasFound, async () => await page.keyboard.insertText('needle'), 'input')
  return {
    frameMs: p95(scrolled.gapsMs),
    frameCpuMs: scrolled.cpuMs,
    idleFrameMs: p95(idle.gapsMs),
    nothingMs,
    clickMs,
    findMs,
    longestTaskMs,
  }
}

export async function measureTrace(stage: Stage): Promise<Figure[]> {
  const tenant = await addTenant(stage)
  const smallId = await sendTrace(stage, tenant, smallSpans)
  const largeId = await sendTrace(stage, tenant, largeSpans)
  const open = async (traceId: string, spans: number): Promise<Opened> =>
    await withPage(stage, { person: tenant }, async (page) => await openTrace(page, tenant, traceId, spans))
  // A warm-up that is not counted: afterwards the service has compiled its code.
  await open(largeId, largeSpans)
  const rounds = await repeat(async () => {
    const small = await open(smallId, smallSpans)
    return await withPage(stage, { person: tenant }, async (page) => ({
      small,
      large: await openTrace(page, tenant, largeId, largeSpans),
      used: await useTrace(page),
    }))
  })
  const large = rounds.map((round) => round.large)
  const used = rounds.map((round) => round.used)
  const against = { control: 'a click that changes nothing', controlMs: used.map(({ nothingMs }) => nothingMs) }
  return [
    ...timeFigures({
      name: '10,000 spans: rows after the click',
      ms: large.map(({ ms }) => ms),
      ceiling: 1_500,
      control: `a trace of ${smallSpans} spans`,
      controlMs: rounds.map(({ small }) => small.ms),
    }),
    pageFigure(
      '  of it the answer of the service',
      large.map(({ answerMs }) => answerMs),
      'ms',
    ),
    pageFigure(
      '10,000 spans: longest task',
      large.map(({ longestTaskMs }) => longestTaskMs),
      'ms',
      200,
    ),
    pageFigure(
      '10,000 spans: nodes of the grid',
      large.map(({ nodes }) => nodes),
      'nodes',
      600,
    ),
    pageFigure(
      '10,000 spans: heap',
      large.map(({ heapMiB }) => heapMiB),
      'MiB',
      120,
    ),
    ...timeFigures({
      name: '10,000 spans: scrolled end to end, p95 of a frame',
      ms: used.map(({ frameMs }) => frameMs),
      ceiling: 34,
      control: 'a frame without a change',
      controlMs: used.map(({ idleFrameMs }) => idleFrameMs),
    }),
    pageFigure(
      '  CPU of the page for a frame',
      used.map(({ frameCpuMs }) => frameCpuMs),
      'ms',
    ),
    pageFigure(
      '10,000 spans: scrolled, longest task',
      used.map(({ longestTaskMs }) => longestTaskMs),
      'ms',
    ),
    ...clicks.flatMap(({ name }, nth) =>
      timeFigures({
        name: `10,000 spans: ${name}`,
        ms: used.map(({ clickMs }) => clickMs[nth] ?? Number.NaN),
        ceiling: 100,
        ...against,
      }),
    ),
    ...timeFigures({
      name: '10,000 spans: find, with count and marks',
      ms: used.map(({ findMs }) => findMs),
      ceiling: 100,
      ...against,
    }),
  ]
}
