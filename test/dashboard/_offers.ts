// Elements that a page shows for some seconds only: a machine that stands still that long would miss them.
import type { Page } from 'playwright-core'

/** How long a button shows that it has copied. */
export const copiedMs = 1_500

/** From the next navigation on, elements that the page removes after exactly this time stay. */
export async function keepOffers(page: Page, offeredMs: number): Promise<void> {
  await page.addInitScript(`(() => {
    const wait = globalThis.setTimeout
    const longestMs = 2 ** 31 - 1
    globalThis.setTimeout = (run, ms, ...more) => wait(run, ms === ${offeredMs} ? longestMs : ms, ...more)
  })()`)
}
