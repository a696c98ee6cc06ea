// Access to the page of a trace for the tests and the bench of large traces.
import type { Locator, Page } from 'playwright-core'

export const grid = (page: Page): Locator => page.getByRole('treegrid', { name: 'Spans' })

export const countNodes = async (page: Page): Promise<number> =>
  await page.evaluate<number>("document.querySelectorAll('[role=treegrid] *').length")

/** The header is a row too. */
export const waitForRows = async (page: Page, rows: number): Promise<void> =>
  await page.locator(`[role=treegrid][aria-rowcount="${rows + 1}"]`).waitFor()

/** JavaScript of the page: the pixels of the minimap in the colour of matches. */
export const matchMarks = `(() => {
  const canvas = document.querySelector('canvas')
  const wanted = getComputedStyle(document.documentElement).getPropertyValue('--warning').trim()
  const parts = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16))
  // Of a copy: a canvas of the page that is read again and again is worth a warning.
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
  copy.drawImage(canvas, 0, 0)
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let at = 0; at < data.length; at += 4) if (parts.every((part, nth) => data[at + nth] === part)) count += 1
  return count
})()`

export const countMatchMarks = async (page: Page): Promise<number> => await page.evaluate<number>(matchMarks)
