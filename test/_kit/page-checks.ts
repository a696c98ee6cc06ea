// Checks of a page in a browser: accessibility by axe, sideways scrolling, and behaviour on a slow machine or network.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The minified one: a page compiles it in half of the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Which rules of axe are checked: all, or those whose results differ between themes and widths of a page that was checked by all. */
export type Rules = 'all' | 'appearance'

const checked: Readonly<Record<Rules, axe.RunOnly>> = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  appearance: {
    type: 'rule',
    values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
  },
}

/**
 * Returns the violations of WCAG 2.2 A or AA in these themes, one line each, in the whole page or in the elements of a selector. In a second
 * theme only its appearance is checked, since that changes nothing else. The page's periodic requests pause meanwhile, since the page dims its
 * contents until an answer arrives.
 */
export async function findViolations(
  page: Page,
  colorSchemes: readonly Theme[] = themes,
  { within = 'html', rules = 'all' }: { readonly within?: string; readonly rules?: Rules } = {},
): Promise<string[]> {
  const lines: string[] = []
  await page.evaluate('globalThis.isStill = true')
  for (const [at, colorScheme] of colorSchemes.entries()) {
    await page.emulateMedia({ colorScheme })
    await settleColours(page)
    for (const { id, nodes } of await runAxe(page, within, at === 0 ? rules : 'appearance')) {
      const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)
      lines.push(...places.map((place) => `${colorScheme}: ${id} at ${place.replaceAll(/\s+/g, ' ')}`))
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.evaluate('globalThis.isStill = false')
  return lines
}

/** Waits until colours are final: during a change of theme they belong to neither theme, and contents that are reloaded are dimmed. */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((turn) => requestAnimationFrame(turn))
    const isBusy = () => document.querySelector('[aria-busy=true]') !== null
    await frame()
    do await frame()
    while (isBusy() || document.getAnimations().some((one) => one instanceof CSSTransition))
  })()`)
}

/** Runs axe by the debugger: axe is injected as text, and the content security policy of a page may refuse to evaluate text. */
async function runAxe(page: Page, within: string, rules: Rules): Promise<axe.Result[]> {
  const options = { runOnly: checked[rules], resultTypes: ['violations'], preload: false }
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
    if ((await evaluate('typeof axe')) !== 'object') await evaluate(`${axeSource};0`)
    return (await evaluate(
      `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then((found) => found.violations)`,
    )) as axe.Result[]
  } finally {
    await debug.detach()
  }
}

/** Returns the elements, or the page itself, that have to be scrolled sideways to be read. Tables and code are allowed to. */
export async function findSidewaysScroll(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(async () => {
    // After a change of the page's size, a chart takes its new size in the next frame.
    for (const _ of [1, 2]) await new Promise((turn) => requestAnimationFrame(turn))
    const name = (element) => element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '')
    const wide = 'pre, table, [role$=grid]'
    const all = [...document.body.querySelectorAll('*')]
    const parts = all.filter((element) => {
      const mayScroll = element.closest(wide) !== null || element.querySelector(wide) !== null
      return !mayScroll && /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth
    })
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return parts.map(name)
    const isHeld = (element) => element !== null && (getComputedStyle(element).overflowX !== 'visible' || isHeld(element.parentElement))
    const isBeyond = (element) => element.getBoundingClientRect().right > clientWidth && !isHeld(element.parentElement)
    const inner = all.filter((element) => isBeyond(element) && ![...element.children].some(isBeyond))
    return [...parts.map(name), 'the page, by ' + (scrollWidth - clientWidth) + ' px: ' + inner.slice(0, 5).map(name).join(', ')]
  })()`)
}

/** Slows the CPU of the page down by a factor of `rate` until the end of `work`. */
export async function withSlowCpu<T>(page: Page, rate: number, work: () => Promise<T>): Promise<T> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate })
  try {
    return await work()
  } finally {
    await debug.detach()
  }
}

/** Limits the network to `megabits` a second and delays each answer by `latencyMs`, until the end of `work`. */
export async function withSlowNetwork<T>(
  page: Page,
  { megabits, latencyMs }: { readonly megabits: number; readonly latencyMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const debug = await page.context().newCDPSession(page)
  const bytesPerS = (megabits * 1_000_000) / 8
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerS,
    uploadThroughput: bytesPerS,
  })
  try {
    return await work()
  } finally {
    await debug.detach()
  }
}
