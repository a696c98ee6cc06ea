// Check 2: the overview with the demo fleet, on this machine and on one that is four times as slow behind a slow line.
import type { Page } from 'playwright-core'
import { withSlowCpu, withSlowNetwork } from '../_kit/page-checks.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import type { Person } from '../dashboard/_sign-in.ts'
import { tellHistory } from '../demo/history.ts'
import { exportSpans } from '../demo/interface.ts'
import { type Condition, readFirstPaint, readLoaded, readSlowestAnswer } from './_page-clock.ts'
import { pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, settle, withPage } from './_page-stage.ts'
import type { Figure } from './_report.ts'

const minuteMs = 60_000
const slowCpuRate = 4
const slowNetwork = { megabits: 9, latencyMs: 40 }

/** Seeds the demo fleet, whose runs lie in the last days. */
export async function seedFleet(stage: Stage, traces = 1_500): Promise<Tenant> {
  const tenant = await addTenant(stage)
  // A run lasts some minutes at most, so none reaches into the future.
  const endMs = Math.floor(Date.now() / minuteMs - 4) * minuteMs
  for (const { body } of tellHistory({ seed: 1, traces, days: 6, endMs })) {
    const { rejected, message } = await exportSpans(stage.baseUrl, tenant.key, body)
    if (rejected > 0) throw new Error(`spans of the fleet were rejected: ${message}`)
  }
  await settle(stage, tenant.workspaceId)
  return tenant
}

/** True once every panel has its figures and every chart is drawn. */
const isOverviewShown = `() => document.querySelector('h1')?.textContent === 'Overview'
  && clock.isCalm()
  && document.querySelectorAll('main figure canvas').length === 4
  && document.querySelectorAll('main section').length >= 10
  && document.querySelector('[aria-labelledby=totals]')?.textContent.includes('…') === false`

export type Loads = {
  /** First paint of the page with empty scripts. */
  readonly bareMs: number
  readonly coldMs: number
  readonly coldPanelsMs: number
  readonly coldAnswerMs: number
  readonly warmMs: number
  readonly warmPanelsMs: number
}

type Place = Pick<Stage, 'baseUrl' | 'browser'> & { readonly person: Person; readonly path: string }

/** Without its scripts, the page paints what it paints first: the empty frame with its styles. */
async function loadBare(page: Page, path: string): Promise<number> {
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  await page.goto(path)
  await page.evaluate("clock.shown(() => performance.getEntriesByType('paint').length > 0)")
  return await readFirstPaint(page)
}

/** Loads the page with empty caches, then again with what the browser has cached. */
async function loadTwice(page: Page, path: string): Promise<Omit<Loads, 'bareMs'>> {
  const load = async (): Promise<{ paintMs: number; panelsMs: number; answerMs: number }> => {
    await page.goto(path, { waitUntil: 'commit' })
    const panelsMs = await readLoaded(page)
    return { paintMs: await readFirstPaint(page), panelsMs, answerMs: await readSlowestAnswer(page) }
  }
  const cold = await load()
  const warm = await load()
  return {
    coldMs: cold.paintMs,
    coldPanelsMs: cold.panelsMs,
    coldAnswerMs: cold.answerMs,
    warmMs: warm.paintMs,
    warmPanelsMs: warm.panelsMs,
  }
}

/** Runs five loads, after a warm-up that is not counted: by then the service and the browser have compiled their hot code. */
export async function loadOverview({ path, ...place }: Place, isSlow: boolean): Promise<Loads[]> {
  const open = async <T>(loaded: Condition | null, work: (page: Page) => Promise<T>): Promise<T> =>
    await withPage(place, { person: place.person, loaded }, async (page) => {
      if (!isSlow) return await work(page)
      const workSlowly = async (): Promise<T> => await withSlowCpu(page, slowCpuRate, async () => await work(page))
      return await withSlowNetwork(page, slowNetwork, workSlowly)
    })
  const load = async (): Promise<Loads> => ({
    bareMs: await open(null, async (page) => await loadBare(page, path)),
    ...(await open(isOverviewShown, async (page) => await loadTwice(page, path))),
  })
  await load()
  return await repeat(load)
}

export type Budget = { readonly coldMs?: number; readonly warmMs?: number; readonly panelsMs?: number }

export function describeLoads(where: string, loads: readonly Loads[], budget: Budget): Figure[] {
  const of = (name: keyof Loads): number[] => loads.map((each) => each[name])
  const against = { control: 'the first paint of the page without scripts', controlMs: of('bareMs') }
  const limit = (ceiling: number | undefined): { ceiling?: number } => (ceiling === undefined ? {} : { ceiling })
  return [
    ...timeFigures({ name: `${where}: first paint`, ms: of('coldMs'), ...limit(budget.coldMs), ...against }),
    ...timeFigures({ name: `${where}: all panels`, ms: of('coldPanelsMs'), ...limit(budget.panelsMs), ...against }),
    pageFigure(`${where}: slowest answer of the service`, of('coldAnswerMs'), 'ms'),
    ...timeFigures({ name: `${where}, warm: first paint`, ms: of('warmMs'), ...limit(budget.warmMs), ...against }),
    ...timeFigures({ name: `${where}, warm: all panels`, ms: of('warmPanelsMs'), ...against }),
  ]
}

export async function measureOverview(stage: Stage): Promise<Figure[]> {
  const person = await seedFleet(stage)
  const place = { ...stage, person, path: `/w/${person.workspaceId}?range=7d` }
  return [
    ...describeLoads('overview', await loadOverview(place, false), { coldMs: 400, panelsMs: 1_500 }),
    ...describeLoads('at 4x CPU, 9 Mbit/s', await loadOverview(place, true), { coldMs: 1_500, warmMs: 600 }),
  ]
}
