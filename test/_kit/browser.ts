// A real browser for a test file: a context of its own for each page, and a test that fails on anything that its page complains of.
import { fileURLToPath } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** A test of ava, or whatever else ends at some time. */
export type Ending = { teardown(end: () => Promise<void>): void }

export type TestBrowser = {
  /** Closed at the end of the test, which fails then on what the page complained of and was not forgiven. */
  open(t: Ending, baseUrl: string, options?: BrowserContextOptions): Promise<WatchedPage>
  stop(): Promise<void>
}

export type WatchedPage = {
  readonly page: Page
  /** Takes the complaints that match, of which there must be one. A request that is refused is one, on the console. */
  forgive(pattern: RegExp): readonly string[]
}

const launcher = fileURLToPath(new URL('chromium.sh', import.meta.url))
/** Longer than any test file takes, on a machine that others use too. */
const lifeS = 900
// Only what hangs takes so long.
const patienceMs = 120_000

/** Leads to this machine, and is no address that a browser trusts without TLS. */
export const insecureHost = 'insecure.test'

const flags = [
  // Nothing but the service under test is reached, whatever a page asks for.
  `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
  '--disable-gpu',
  // Its sandbox needs another user than root, or a namespace that a container may refuse.
  '--no-sandbox',
]

/** JavaScript of the page: what it repeats rests while `isStill` is set. */
const rests = `(() => {
  const repeat = globalThis.setInterval
  globalThis.setInterval = (run, ...more) => repeat((...given) => globalThis.isStill || run(...given), ...more)
})()`

/** Throws the sentence that says how to get one. */
export async function launchBrowser(): Promise<TestBrowser> {
  const fault = process.env['TEST_DASHBOARD_FAULT']
  if (fault !== undefined) throw new Error(fault)
  const { path, env } = findChromium()
  const { PATH, HOME } = process.env
  const browser = await chromium.launch({
    executablePath: launcher,
    args: flags,
    env: { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...env, CHROMIUM: path, CHROMIUM_LIFE_S: String(lifeS) },
    timeout: patienceMs,
  })
  return {
    async open(t, baseUrl, options = {}) {
      const context = await browser.newContext({
        baseURL: baseUrl,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        ...options,
      })
      context.setDefaultTimeout(patienceMs)
      await context.addInitScript(rests)
      const page = await context.newPage()
      const complaints = await watch(page, new URL(baseUrl).origin)
      t.teardown(async () => {
        await context.close()
        if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`)
      })
      return {
        page,
        forgive(pattern) {
          const forgiven = complaints.filter((complaint) => pattern.test(complaint))
          if (forgiven.length === 0) throw new Error(`no complaint matches ${pattern}`)
          complaints.splice(0, Infinity, ...complaints.filter((complaint) => !forgiven.includes(complaint)))
          return forgiven
        },
      }
    },
    stop: async () => await browser.close(),
  }
}

/** Fills as the page goes on. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const complaints: string[] = []
  const keep = (complaint: string): void => void complaints.push(`${new URL(page.url()).pathname}: ${complaint}`)
  page.on('console', (message) => keep(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => keep(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => keep('the page crashed'))
  const look = (url: string): void => {
    const { protocol, origin: asked } = new URL(url)
    const isForeign = asked !== origin && protocol !== 'data:' && protocol !== 'blob:'
    if (isForeign) keep(`request to another origin: ${url}`)
  }
  page.on('request', (request) => look(request.url()))
  page.on('websocket', (socket) => look(socket.url()))
  // Also those of a policy that only reports, which the console may not show.
  await page.exposeFunction('reportViolation', (what: string) => keep(`CSP report: ${what}`))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`))",
  )
  return complaints
}
