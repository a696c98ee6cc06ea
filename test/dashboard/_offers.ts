// What a page shows for some seconds only: a machine that stands still that long would pass it.
import type { Page } from 'playwright-core'

/** From the next address on, what the page takes away after exactly so long stays. */
export async function keepOffers(page: Page, offeredMs: number): Promise<void> {
  await page.addInitScript(`(() => {
    const wait = globalThis.setTimeout
    const longestMs = 2 ** 31 - 1
    globalThis.setTimeout = (run, ms, ...more) => wait(run, ms === ${offeredMs} ? longestMs : ms, ...more)
  })()`)
}
