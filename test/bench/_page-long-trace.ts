// Check 9: a trace of 50,000 spans, of which a page loads 10,000 at a time.
import type { Page } from 'playwright-core'
import type { Tenant } from '../_kit/sign-up.ts'
import { openAndSettle } from '../dashboard/_pages.ts'
import { countNodes, waitForRows } from '../dashboard/_trace-page.ts'
import { readHeapMiB, readLongestTask, rest, scrollOf, timeFrames, timeReaction } from './_page-clock.ts'
import { p95, pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, withPage } from './_page-stage.ts'
import { hasRows, sendTrace } from './_page-trace.ts'
import type { Figure } from './_report.ts'

const allSpans = 50_000
const spansAtOnce = 10_000
const scrollFrames = 300

type Loaded = {
  readonly moreMs: number
  readonly longestTaskMs: number
  readonly frameMs: number
  readonly frameCpuMs: number
  readonly idleFrameMs: number
  readonly nodes: number
  readonly heapMiB: number
}

/** Throws if the bar does not show the number of spans. */
async function loadAll(page: Page, { workspaceId }: Tenant, traceId: string): Promise<Loaded> {
  await openAndSettle(page, `/w/${workspaceId}/traces/${traceId}`)
  await waitForRows(page, spansAtOnce)
  const fromMs = await page.evaluate<number>('performance.now()')
  let moreMs = 0
  for (let loaded = spansAtOnce; loaded < allSpans; loaded += spansAtOnce) {
    const [shown, all] = [loaded, allSpans].map((count) => count.toLocaleString('en-US'))
    await page.getByText(`${shown} of ${all} spans are shown.`).waitFor()
    const more = await timeReaction(page, {
      type: 'click',
      shown: hasRows(loaded + spansAtOnce),
      act: async () => await page.getByRole('button', { name: 'Load more' }).click(),
    })
    moreMs = more.ms
  }
  await page.getByText('spans are shown').waitFor({ state: 'detached' })
  const longestTaskMs = await readLongestTask(page, fromMs)
  const idle = await timeFrames(page, scrollFrames, rest)
  const scrolled = await timeFrames(page, scrollFrames, scrollOf('[role=treegrid]'))
  return {
    moreMs,
    longestTaskMs,
    idleFrameMs: p95(idle.gapsMs),
    frameMs: p95(scrolled.gapsMs),
    frameCpuMs: scrolled.cpuMs,
    nodes: await countNodes(page),
    heapMiB: await readHeapMiB(page),
  }
}

export async function measureLongTrace(stage: Stage): Promise<Figure[]> {
  const tenant = await addTenant(stage)
  const traceId = await sendTrace(stage, tenant, allSpans)
  const loads = await repeat(
    async () => await withPage(stage, { person: tenant }, async (page) => await loadAll(page, tenant, traceId)),
  )
  const of = (name: keyof Loaded): number[] => loads.map((each) => each[name])
  return [
    ...timeFigures({
      name: '50,000 spans: scrolled end to end, p95 of a frame',
      ms: of('frameMs'),
      ceiling: 50,
      control: 'a frame without a change',
      controlMs: of('idleFrameMs'),
    }),
    pageFigure('  CPU of the page for a frame', of('frameCpuMs'), 'ms'),
    pageFigure('50,000 spans: the last 10,000 loaded', of('moreMs'), 'ms'),
    pageFigure('50,000 spans: longest task while they load', of('longestTaskMs'), 'ms'),
    pageFigure('50,000 spans: nodes of the grid', of('nodes'), 'nodes', 600),
    pageFigure('50,000 spans: heap', of('heapMiB'), 'MiB'),
  ]
}
