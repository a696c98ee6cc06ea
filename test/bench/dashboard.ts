// node test/bench/dashboard.ts [case] [--engine plain|timescale] [--size 1m|10m|50m]: the dashboard in a real browser, against the budgets
// of its checks. The case `large-set` reads the data set of npm run bench:data and is skipped if there is none.
import { parseArgs } from 'node:util'
import { launchBrowser, type TestBrowser } from '../_kit/browser.ts'
import { buildDashboard } from '../_kit/dashboard.ts'
import { engines } from './_data-server.ts'
import { findDataSet } from './_data-set.ts'
import { type Size, sizes } from './_data-shape.ts'
import { measureChanges } from './_page-changes.ts'
import { measureChart } from './_page-chart.ts'
import { measureHugeSpan } from './_page-huge-span.ts'
import { measureLargeSet } from './_page-large-set.ts'
import { measureLongTrace } from './_page-long-trace.ts'
import { measureOverview } from './_page-overview.ts'
import type { Stage } from './_page-stage.ts'
import { measureTrace } from './_page-trace.ts'
import { startBenchPostgres } from './_postgres.ts'
import { type Figure, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const cases: Readonly<Record<string, (stage: Stage) => Promise<Figure[]>>> = {
  overview: measureOverview,
  changes: measureChanges,
  trace: measureTrace,
  'long-trace': measureLongTrace,
  'huge-span': measureHugeSpan,
  chart: measureChart,
}
const largeSet = 'large-set'
const longestLifeMs = 30 * 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'plain' }, size: { type: 'string', default: '10m' } },
})
const [only] = positionals
const names = Object.keys(cases).filter((name) => only === undefined || name === only)
const isLargeSetAsked = only === undefined || only === largeSet
if (names.length === 0 && !isLargeSetAsked)
  throw new Error(`the cases are ${[...Object.keys(cases), largeSet].join(', ')}`)

/** Starts a separate browser for each case: a browser lives for some minutes only. */
async function withBrowser<T>(stops: Stops, work: (browser: TestBrowser) => Promise<T>): Promise<T> {
  const browser = stops.add(await launchBrowser(false), async (one) => await one.stop())
  const result = await work(browser)
  await browser.stop()
  return result
}

async function measureCases(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const { baseUrl } = await startBenchService(stops, postgres, {}, longestLifeMs)
  for (const name of names) {
    const measure = cases[name]
    if (measure === undefined) continue
    const figures = await withBrowser(
      stops,
      async (browser) => await measure({ baseUrl, browser, query: postgres.query }),
    )
    report('dashboard', { case: name, postgres: postgres.version }, figures)
  }
}

async function measureOverLargeSet(stops: Stops): Promise<void> {
  const engine = engines.find((name) => name === values.engine)
  const size = (Object.keys(sizes) as Size[]).find((name) => name === values.size)
  const set = engine === undefined || size === undefined ? null : findDataSet(engine, size)
  if (set === null) {
    const missing = `make the set first: npm run bench:data -- --engine ${values.engine} --size ${values.size}`
    if (only === largeSet) throw new Error(missing)
    process.stderr.write(`${largeSet} is left out; ${missing}\n`)
    return
  }
  const figures = await withBrowser(stops, async (browser) => await measureLargeSet(stops, browser, set))
  report('dashboard', { case: largeSet, engine, size, events: set.layout.events }, figures)
}

await withStops(async (stops) => {
  await buildDashboard()
  if (names.length > 0) await measureCases(stops)
  if (isLargeSetAsked) await measureOverLargeSet(stops)
})
