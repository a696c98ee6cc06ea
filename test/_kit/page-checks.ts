// What a test asks of a page in a browser: accessibility by axe, the width that it needs, and a slower machine.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

export const themes = ['light', 'dark'] as const

const options = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
  preload: false,
}

/** What breaks WCAG 2.2 A or AA in either theme, as one line each. */
export async function findViolations(page: Page): Promise<string[]> {
  const lines: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    for (const { id, nodes } of await runAxe(page)) {
      const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)
      lines.push(...places.map((place) => `${colorScheme}: ${id} at ${place.replaceAll(/\s+/g, ' ')}`))
    }
  }
  await page.emulateMedia({ colorScheme: null })
  return lines
}

/** By the debugger: axe comes as text, and the policy of a page may refuse to evaluate text. */
async function runAxe(page: Page): Promise<axe.Result[]> {
  const debug = await page.context().newCDPSession(page)
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  try {
    if ((await evaluate('typeof axe')) !== 'object') await evaluate(`${axe.source};0`)
    return (await evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`,
    )) as axe.Result[]
  } finally {
    await debug.detach()
  }
}

/** How many pixels of the page lie beyond its right edge, so that reading needs scrolling in two directions. */
export async function readSidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** The page's own work takes so many times as long, until the end of `work`. */
export async function withSlowCpu<T>(page: Page, rate: number, work: () => Promise<T>): Promise<T> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate })
  try {
    return await work()
  } finally {
    await debug.detach()
  }
}
