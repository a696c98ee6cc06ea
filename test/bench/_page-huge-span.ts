// Check 10: a span of one MiB is selected at once, however long its content takes to appear.
import type { Page } from 'playwright-core'
import type { Tenant } from '../_kit/sign-up.ts'
import { makeSpan } from '../_kit/spans.ts'
import { openAndSettle } from '../dashboard/_pages.ts'
import { grid } from '../dashboard/_trace-page.ts'
import { hugeText, idOf, makeHugeTrace, sendSpans } from '../dashboard/_traces.ts'
import { type Condition, readLongestTask, timeReaction } from './_page-clock.ts'
import { pageFigure, repeat, timeFigures } from './_page-figures.ts'
import { addTenant, type Stage, settle, withPage } from './_page-stage.ts'
import type { Figure } from './_report.ts'

/** True once the row of the span is selected and the panel beside it shows that span. */
const isSelected = (name: string): Condition => `() =>
  document.querySelector('[role=treegrid] [aria-selected=true]')?.textContent.includes('${name}') === true &&
  document.querySelector('aside[aria-label="Span ${name}"] [role=tabpanel]') !== null`

type Selected = {
  readonly smallMs: number
  readonly hugeMs: number
  readonly contentMs: number
  readonly againMs: number
  readonly longestTaskMs: number
}

async function selectSpans(page: Page, { workspaceId }: Tenant, traceId: string): Promise<Selected> {
  await openAndSettle(page, `/w/${workspaceId}/traces/${traceId}`)
  const select = async (name: string) =>
    await timeReaction(page, {
      type: 'click',
      shown: isSelected(name),
      act: async () => await grid(page).getByText(name, { exact: true }).click(),
    })
  // The first selection opens the panel.
  await select('root')
  const small = await select('small')
  const huge = await select('huge')
  const contentAtMs = await page.evaluate<number>(
    `clock.shown(() => document.querySelector('aside[aria-label="Span huge"]').textContent.includes('${hugeText}'))`,
  )
  const longestTaskMs = await readLongestTask(page, huge.startMs)
  await select('small')
  const again = await select('huge')
  return {
    smallMs: small.ms,
    hugeMs: huge.ms,
    contentMs: contentAtMs - huge.startMs,
    longestTaskMs,
    againMs: again.ms,
  }
}

export async function measureHugeSpan(stage: Stage): Promise<Figure[]> {
  const tenant = await addTenant(stage)
  const { traceId, spans } = makeHugeTrace()
  const small = makeSpan({ traceId, spanId: idOf(3), parentSpanId: idOf(1), name: 'small' })
  await sendSpans(stage.baseUrl, tenant, [...spans, small])
  await settle(stage, tenant.workspaceId)
  const selections = await repeat(
    async () => await withPage(stage, { person: tenant }, async (page) => await selectSpans(page, tenant, traceId)),
  )
  const of = (name: keyof Selected): number[] => selections.map((each) => each[name])
  return [
    ...timeFigures({
      name: 'a span of 1 MiB: selected',
      ms: of('hugeMs'),
      ceiling: 50,
      control: 'a small span',
      controlMs: of('smallMs'),
    }),
    pageFigure('a span of 1 MiB that is loaded already: selected', of('againMs'), 'ms', 50),
    pageFigure('a span of 1 MiB: its content is shown', of('contentMs'), 'ms'),
    pageFigure('a span of 1 MiB: longest task until then', of('longestTaskMs'), 'ms'),
  ]
}
