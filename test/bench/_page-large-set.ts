// The overview over the large data set: 30 days of a workspace with millions of events.
import { startProcess } from '../_kit/service-process.ts'
import { dataSecret } from './_data-people.ts'
import { startDataServer } from './_data-server.ts'
import type { DataSet } from './_data-set.ts'
import { endUs, spansInTrace, startUs } from './_data-shape.ts'
import { describeLoads, loadOverview } from './_page-overview.ts'
import type { Stage } from './_page-stage.ts'
import type { Figure } from './_report.ts'
import type { Stops } from './_stops.ts'

const longestLifeMs = 30 * 60_000

export async function measureLargeSet(
  stops: Stops,
  browser: Stage['browser'],
  { engine, size, layout, workspaceId, ...person }: DataSet,
): Promise<Figure[]> {
  const server = stops.add(await startDataServer(engine, size, 'serving'), async (each) => await each.stop())
  const settings = { DATABASE_URL: server.url, SECRET: dataSecret, LOG_LEVEL: 'warn', AUTH_RATE_LIMITS: 'off' }
  const { baseUrl } = stops.add(
    await startProcess(settings, longestLifeMs),
    async (service) => await service.end('SIGTERM'),
  )
  // All days of the set; the edges are not on a whole hour or minute.
  const [from, to] = [startUs / 1_000 + 17_123, endUs / 1_000 - 754_321].map((ms) => new Date(ms).toISOString())
  const window = new URLSearchParams({ from_time: from ?? '', to_time: to ?? '' }).toString()
  const path = `/w/${workspaceId}?${window}`
  const loads = await loadOverview({ baseUrl, browser, person, path }, false)
  const millions = Math.round((layout.largeTraces * spansInTrace) / 1_000_000)
  return describeLoads(`${millions} million events`, loads, { coldMs: 400, panelsMs: 1_500 })
}
