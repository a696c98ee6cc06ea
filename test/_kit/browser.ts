// A real browser for a test file. Pages that are open at the same time have separate contexts, and a test fails on any error or message that
// its page reports.
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'
import { isSoak } from './soak.ts'

/** A test of ava, or another object with an end. */
export type Ending = { teardown(end: () => Promise<void>): void }

export type PageOptions = BrowserContextOptions & {
  /** Its clock goes on as usual until the test moves it. Without it, the clock is that of the machine. */
  readonly hasClock?: boolean
  /**
   * Makes the page ready for another test. With it, the page is the one that an earlier test with the same function left, and is kept for
   * later tests. Not for a test that adds scripts to the page or replaces functions of it.
   */
  readonly keep?: (page: Page) => Promise<void>
}

export type TestBrowser = {
  /** Opens a page. It is closed at the end of the test, which fails if the page had complaints that were not forgiven. */
  open(t: Ending, baseUrl: string, options?: PageOptions): Promise<WatchedPage>
  stop(): Promise<void>
}

export type WatchedPage = {
  readonly page: Page
  /**
   * Removes and returns the complaints that match; throws if there is none.
   * A refused request is a complaint too, since the console reports it.
   */
  forgive(pattern: RegExp): readonly string[]
}

const launcher = fileURLToPath(new URL('chromium.sh', import.meta.url))
/** As long as the whole run may take: the files of a process share a browser. */
const lifeS = 2_700
// Only an operation that hangs takes this long.
const patienceMs = 120_000

/** A host name of this machine that the browser does not trust without TLS. */
export const insecureHost = 'insecure.test'

const flags = [
  // Only the service under test can be reached, whatever a page requests.
  `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
  '--disable-gpu',
  // The browser's sandbox needs a user other than root, or a namespace that a container may refuse.
  '--no-sandbox',
  // The pages of a context share a process, which keeps the compiled scripts.
  '--renderer-process-limit=1',
]

/** A page of a test is too short-lived for code that is optimized: to make it takes longer than it saves. */
const unoptimized = '--js-flags=--no-maglev,--no-turbofan'

const usualSize = { width: 1_280, height: 720 }

/** A file of every origin that costs nothing to show. */
const plainFile = '/theme.js'

/** JavaScript for the page: its intervals pause while `isStill` is set. */
const rests = `(() => {
  const repeat = globalThis.setInterval
  globalThis.setInterval = (run, ...more) => repeat((...given) => globalThis.isStill || run(...given), ...more)
})()`

/** A context and a page of it, which keeps the process of the context alive between tests. */
type WarmContext = {
  readonly context: BrowserContext
  readonly baseUrl: string
  readonly keeper: Page
  /** A clock that a test controls stays installed, and is set to the present for the next test with one. */
  readonly hasClock: boolean
}

async function makeContext(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
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
  return context
}

async function warmUp(context: BrowserContext, baseUrl: string, hasClock: boolean): Promise<WarmContext> {
  const keeper = await context.newPage()
  await keeper.goto(plainFile)
  return { context, baseUrl, keeper, hasClock }
}

/** A page that tests use in turn, with the function that makes it ready for the next one. */
type KeptPage = { readonly warm: WarmContext; readonly page: Page; readonly keep: (page: Page) => Promise<void> }

/** The events of pages to which tests listen. */
const heard = ['request', 'requestfailed', 'requestfinished', 'response'] as const

/** Removes what a test leaves in a page. Returns whether another test can use it. */
async function tidy({ warm: { context }, page, keep }: KeptPage): Promise<boolean> {
  try {
    await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()])
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: 'reduce' })
    await keep(page)
    return true
  } catch {
    return false
  } finally {
    for (const event of heard) page.removeAllListeners(event)
  }
}

/** Removes all that a test leaves in a context, except the cache and the clock. */
async function empty(warm: WarmContext): Promise<WarmContext> {
  const { context, keeper } = warm
  await Promise.all(context.pages().map(async (page) => await (page === keeper ? null : page.close())))
  await context.unrouteAll()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  const nowMs = await keeper.evaluate<number>('localStorage.clear(), Date.now()')
  // Also the clock of a test that moved it without having asked for one.
  return { ...warm, hasClock: warm.hasClock || Math.abs(nowMs - Date.now()) > patienceMs }
}

/** Starts the browser. Throws an error that says how to install one. Unless `isWarm`, each page finds an empty cache. */
export async function launchBrowser(isWarm = true): Promise<TestBrowser> {
  const fault = process.env['TEST_DASHBOARD_FAULT']
  if (fault !== undefined) throw new Error(fault)
  const { path, env } = findChromium()
  const { PATH, HOME } = process.env
  const browser = await chromium.launch({
    executablePath: launcher,
    // Times are measured without it.
    args: isWarm && !isSoak ? [...flags, unoptimized] : flags,
    env: { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...env, CHROMIUM: path, CHROMIUM_LIFE_S: String(lifeS) },
    timeout: patienceMs,
  })
  const idle: WarmContext[] = []
  /** Returns a context that other tests have used, with nothing of theirs but the cache; makes one if all are in use. */
  async function takeWarm(baseUrl: string, hasClock: boolean): Promise<WarmContext> {
    const at = idle.findIndex((one) => one.baseUrl === baseUrl && one.hasClock === hasClock)
    const [warm] = at < 0 ? [] : idle.splice(at, 1)
    return warm ?? (await warmUp(await makeContext(browser, baseUrl), baseUrl, hasClock))
  }
  const kept: KeptPage[] = []
  async function takeKept(baseUrl: string, hasClock: boolean, keep: KeptPage['keep']): Promise<KeptPage> {
    const at = kept.findIndex(
      ({ warm, keep: own }) => warm.baseUrl === baseUrl && warm.hasClock === hasClock && own === keep,
    )
    const [one] = at < 0 ? [] : kept.splice(at, 1)
    if (one !== undefined) return one
    const warm = await takeWarm(baseUrl, hasClock)
    return { warm, page: await warm.context.newPage(), keep }
  }
  async function leave(one: KeptPage): Promise<void> {
    if (await tidy(one)) kept.push(one)
    else idle.push(await empty(one.warm))
  }
  return {
    async open(t, baseUrl, { viewport, hasClock = false, keep, ...options } = {}) {
      const isUsual = isWarm && Object.keys(options).length === 0
      const one = isUsual && keep !== undefined ? await takeKept(baseUrl, hasClock, keep) : null
      const warm = one?.warm ?? (isUsual ? await takeWarm(baseUrl, hasClock) : null)
      const context = warm?.context ?? (await makeContext(browser, baseUrl, options))
      const page = one?.page ?? (await context.newPage())
      const size = viewport ?? usualSize
      if (!isDeepStrictEqual(size, page.viewportSize())) await page.setViewportSize(size)
      if (hasClock) await page.clock.install()
      const complaints = await watch(page, new URL(baseUrl).origin)
      t.teardown(async () => {
        if (one !== null) await leave(one)
        else if (warm === null) await context.close()
        else idle.push(await empty(warm))
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

/** Where the complaints of a page are added. */
const complaintsOf = new WeakMap<Page, string[]>()

/** Returns the complaints of the page from now on; the array grows while the page runs. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const isWatched = complaintsOf.has(page)
  const complaints: string[] = []
  complaintsOf.set(page, complaints)
  const keep = (complaint: string): void =>
    void complaintsOf.get(page)?.push(`${new URL(page.url()).pathname}: ${complaint}`)
  const look = (url: string): void => {
    const { protocol, origin: asked } = new URL(url)
    const isForeign = asked !== origin && protocol !== 'data:' && protocol !== 'blob:'
    if (isForeign) keep(`request to another origin: ${url}`)
  }
  page.on('request', (request) => look(request.url()))
  if (isWatched) return complaints
  page.on('console', (message) => keep(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => keep(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => keep('the page crashed'))
  page.on('websocket', (socket) => look(socket.url()))
  // Also violations of a report-only policy, which the console may not show.
  await page.exposeFunction('reportViolation', (what: string) => keep(`CSP report: ${what}`))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`))",
  )
  return complaints
}
