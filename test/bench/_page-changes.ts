// Check 4: the time from a click in the rail until the content of a page that was shown before is painted again.
import type { Page } from 'playwright-core'
import { actAndSettle, openAndSettle } from '../dashboard/_pages.ts'
import { timeReaction } from './_page-clock.ts'
import { repeat, timeFigures } from './_page-figures.ts'
import { seedFleet } from './_page-overview.ts'
import { type Stage, withPage } from './_page-stage.ts'
import type { Figure } from './_report.ts'

const ceiling = 100
const visited = ['Overview', 'Agents', 'Traces', 'Events', 'Findings', 'Usage']
const dayMs = 86_400_000

/** JavaScript of the page: its title, and counts of its elements. */
const look = `[
  document.querySelector('h1')?.textContent,
  document.querySelectorAll('main section').length,
  document.querySelectorAll('main canvas').length,
  document.querySelectorAll('main tbody tr').length > 0,
].join(', ')`

const follow = async (page: Page, label: string): Promise<void> =>
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: label }).click()

async function visit(page: Page, label: string): Promise<void> {
  await follow(page, label)
  // The title of a page can contain more than the label in the rail.
  await page.evaluate(`clock.shown(() => document.querySelector('h1')?.textContent.startsWith('${label}') === true)`)
}

export async function measureChanges(stage: Stage): Promise<Figure[]> {
  const person = await seedFleet(stage, 400)
  // The window is fixed: one that moves with the clock requests other data each time it moves.
  const nowMs = Date.now()
  const [from, to] = [nowMs - 7 * dayMs, nowMs].map((ms) => new Date(ms).toISOString())
  const window = new URLSearchParams({ from_time: from ?? '', to_time: to ?? '' }).toString()
  return await withPage(stage, { person }, async (page) => {
    const looks = new Map<string, string>()
    for (const label of visited) {
      // The first visit of each page loads its code and its data.
      if (looks.size === 0) await openAndSettle(page, `/w/${person.workspaceId}?${window}`)
      else await actAndSettle(page, async () => await visit(page, label))
      looks.set(label, await page.evaluate<string>(look))
    }
    const rounds = await repeat(async () => {
      // The time between an input and the next paint, independent of the page.
      const nothing = await timeReaction(page, {
        type: 'click',
        shown: '() => true',
        act: async () => await page.locator('h1').click(),
      })
      const changes = new Map<string, number>()
      for (const label of visited) {
        const shown = `() => clock.isCalm() && ${look} === ${JSON.stringify(looks.get(label))}`
        await actAndSettle(page, async () => {
          const { ms } = await timeReaction(page, { type: 'click', shown, act: async () => await follow(page, label) })
          changes.set(label, ms)
        })
      }
      return { nothingMs: nothing.ms, changes }
    })
    return visited.flatMap((label) =>
      timeFigures({
        name: `change to ${label}, from the cache`,
        ms: rounds.map(({ changes }) => changes.get(label) ?? Number.NaN),
        ceiling,
        control: 'a click that changes nothing',
        controlMs: rounds.map(({ nothingMs }) => nothingMs),
      }),
    )
  })
}
