// The test kit itself, on a correct page and on pages with one fault each.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import Koa from 'koa'
import type { Page } from 'playwright-core'
import type { PageOptions, WatchedPage } from '../_kit/browser.ts'
import { findSidewaysScroll, findViolations, withSlowCpu } from '../_kit/page-checks.ts'
import { isSoak } from '../_kit/soak.ts'
import { joinScene } from './_scene.ts'

const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
const script = "document.querySelector('h1').dataset.state = 'run'"

/** Served with the policy of the dashboard, except the page whose fault the policy would prevent. */
const bodies: Readonly<Record<string, string>> = {
  '/good': '<h1>Good</h1><script src="/script.js"></script>',
  '/noisy': '<h1>Noisy</h1><script src="/noise.js"></script>',
  '/failing': '<h1>Failing</h1><script src="/failure.js"></script>',
  '/inline': '<h1>Inline</h1><script>alert(1)</script>',
  '/foreign': '<h1>Foreign</h1><img alt="" src="http://elsewhere.example/pixel.png">',
  '/nameless': '<h1>Nameless</h1><button></button>',
  '/faint': '<h1 style="color: #ccc">Faint</h1>',
  '/dim':
    '<h1 style="color-scheme: light dark; color: light-dark(#000, #333); background: light-dark(#fff, #000)">Dim</h1>',
  '/ticking': '<h1>Ticking</h1><script src="/tick.js"></script>',
  '/wide': '<h1>Wide</h1><div style="width: 800px">wide</div>',
}
const scripts: Readonly<Record<string, string>> = {
  '/script.js': script,
  '/noise.js': "console.info('noise')",
  '/failure.js': "throw new Error('failure')",
  // Like a page whose answer takes most of the interval between two requests.
  '/tick.js': `setInterval(() => {
    const heading = document.querySelector('h1')
    const show = (isBusy) => {
      heading.ariaBusy = String(isBusy)
      heading.style.color = isBusy ? '#ccc' : ''
    }
    show(true)
    setTimeout(show, 180, false)
  }, 200)`,
}

const app = new Koa()
app.use((context) => {
  const { path } = context
  const body = bodies[path]
  if (body !== undefined) {
    if (!/foreign|faint|dim|wide/.test(path)) context.set('content-security-policy', policy)
    context.type = 'html'
    context.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Kit</title><main>${body}</main>`
  } else if (scripts[path] !== undefined) {
    context.type = 'js'
    context.body = scripts[path]
  } else if (path === '/favicon.ico') context.status = 204
})
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const { browser, stop } = await joinScene()
test.after.always(async () => {
  server.close()
  await stop()
})

async function openPath(t: ExecutionContext, path: string, width = 1_280): Promise<WatchedPage> {
  const watched = await browser.open(t, baseUrl, { viewport: { width, height: 800 } })
  await watched.page.goto(path)
  return watched
}

/** As `openPath`, with all complaints about the page. */
async function openIdle(t: ExecutionContext, path: string): Promise<WatchedPage> {
  const watched = await openPath(t, path)
  await watched.page.waitForLoadState('networkidle')
  return watched
}

// Only in the soak, since the other tests of pages prove it too.
if (isSoak)
  test.serial('a correct page causes no complaint', async (t) => {
    const { page, forgive } = await openIdle(t, '/good')
    await page.setViewportSize({ width: 320, height: 800 })
    t.is(await page.getAttribute('h1', 'data-state'), 'run')
    t.deepEqual(await findViolations(page), [])
    t.deepEqual(await findSidewaysScroll(page), [])
    t.throws(() => forgive(/./), { message: 'no complaint matches /./' })
  })

test.serial(
  'the control: console messages, errors, blocked scripts and requests to other origins are complaints',
  async (t) => {
    t.deepEqual((await openIdle(t, '/noisy')).forgive(/./), ['/noisy: console info: noise'])
    t.regex((await openIdle(t, '/failing')).forgive(/./).join('\n'), /^\/failing: page error: Error: failure\n/)
    const refused = (await openIdle(t, '/inline')).forgive(/./)
    t.true(
      refused.some((one) => one.startsWith('/inline: CSP report: script-src-elem inline')),
      refused.join('\n'),
    )
    t.true(
      refused.some((one) => one.startsWith('/inline: console error: ')),
      refused.join('\n'),
    )
    const foreign = (await openIdle(t, '/foreign')).forgive(/./)
    t.true(foreign.some((one) => one.endsWith(': request to another origin: http://elsewhere.example/pixel.png')))
    t.regex(foreign.join('\n'), /ERR_NAME_NOT_RESOLVED/)
  },
)

test.serial('the control: axe finds a button without a name, and text without contrast in each theme', async (t) => {
  const nameless = await findViolations((await openPath(t, '/nameless')).page, ['light'])
  t.deepEqual(
    nameless.map((one) => one.replace(/ at .*/, '')),
    ['light: button-name'],
  )
  for (const [path, themes] of [
    ['/faint', ['light', 'dark']],
    ['/dim', ['dark']],
  ] as const) {
    const found = await findViolations((await openPath(t, path)).page)
    t.deepEqual(
      found.map((one) => one.replace(/: Fix.*/, '')),
      themes.map((theme) => `${theme}: color-contrast at h1`),
    )
  }
})

const dayMs = 86_400_000

/**
 * Opens a page, and closes it at the end of `work`. Its address differs from that of the other tests, so each visit has the context of the
 * visit before.
 */
async function visit<T>(work: (page: Page) => Promise<T>, options: PageOptions = {}): Promise<T> {
  const ends: (() => Promise<void>)[] = []
  const { page } = await browser.open({ teardown: (end) => void ends.push(end) }, `${baseUrl}/`, options)
  await page.goto('/good')
  const result = await work(page)
  for (const end of ends) await end()
  return result
}

test.serial('a new page has no data of the previous page', async (t) => {
  await visit(async (page) => {
    await page.evaluate(
      "localStorage.setItem('left', 'yes'), sessionStorage.setItem('left', 'yes'), document.cookie = 'left=yes'",
    )
    await page.context().grantPermissions(['clipboard-read'])
    await page.context().route('**', (route) => route.abort())
    await page.context().setOffline(true)
  })
  const found = `(async () => [localStorage.length, sessionStorage.length, document.cookie, navigator.onLine,
    (await navigator.permissions.query({ name: 'clipboard-read' })).state])()`
  t.deepEqual(await visit(async (page) => await page.evaluate<unknown>(found)), [0, 0, '', true, 'prompt'])

  const readYear = async (page: Page): Promise<number> => await page.evaluate<number>('new Date().getFullYear()')
  const controlled = await visit(async (page) => {
    await page.clock.install({ time: 0 })
    return await readYear(page)
  })
  t.is(controlled, 1970)
  t.not(await visit(readYear), 1970)

  const readAheadMs = async (page: Page): Promise<number> => (await page.evaluate<number>('Date.now()')) - Date.now()
  const moved = await visit(
    async (page) => {
      await page.clock.fastForward(3 * dayMs)
      return await readAheadMs(page)
    },
    { hasClock: true },
  )
  t.true(moved > 2 * dayMs)
  t.true((await visit(readAheadMs)) < dayMs)
  t.true((await visit(readAheadMs, { hasClock: true })) < dayMs, 'a test with a clock begins in the present')
})

test.serial(
  'a page that is kept has nothing of the test before, unless it cannot be made ready for the next',
  async (t) => {
    let isBroken = false
    const keep = async (page: Page): Promise<void> => {
      if (isBroken) throw new Error('broken')
      await page.evaluate('globalThis.isKept = true')
    }
    const readState = async (page: Page): Promise<unknown> =>
      await page.evaluate("[globalThis.isKept, navigator.onLine, matchMedia('(prefers-color-scheme: dark)').matches]")
    const requested: string[] = []
    const open = async (work: (page: WatchedPage) => Promise<void>): Promise<Page> => {
      const ends: (() => Promise<void>)[] = []
      const watched = await browser.open({ teardown: (end) => void ends.push(end) }, `${baseUrl}/`, { keep })
      await work(watched)
      for (const end of ends) await end()
      return watched.page
    }
    const first = await open(async ({ page, forgive }) => {
      await page.goto('/noisy')
      await page.waitForLoadState('networkidle')
      forgive(/noise/)
      page.on('request', (request) => requested.push(request.url()))
      await page.route('**', (route) => route.abort())
      await page.context().setOffline(true)
      await page.emulateMedia({ colorScheme: 'dark' })
    })
    const second = await open(async ({ page, forgive }) => {
      t.deepEqual(await readState(page), [true, true, false])
      await page.goto('/noisy')
      await page.waitForLoadState('networkidle')
      t.deepEqual(forgive(/./), ['/noisy: console info: noise'])
      isBroken = true
    })
    t.is(second, first)
    t.deepEqual(requested, [])
    t.true(first.isClosed())
    const third = await open(async ({ page }) => {
      await page.goto('/good')
    })
    t.not(third, first)
  },
)

test.serial('axe checks a page that refreshes itself between two refreshes', async (t) => {
  const { page } = await openPath(t, '/ticking')
  await page.locator('[aria-busy=true]').waitFor()
  t.deepEqual(await findViolations(page), [])
  await page.locator('[aria-busy=true]').waitFor()
})

test.serial('the control: a page that is wider than a phone scrolls sideways', async (t) => {
  t.regex((await findSidewaysScroll((await openPath(t, '/wide', 320)).page)).join(), /^the page, by \d+ px: div\.$/)
})

// Only in the soak: no test of the suite slows a page down.
if (isSoak)
  test.serial('a page that is slowed down takes longer for the same work', async (t) => {
    const { page } = await openPath(t, '/good')
    // Longer than the slices by which the browser slows a page: on a busy machine one of them may be left out.
    const work = `(() => {
    const begin = performance.now()
    let sum = 0
    for (let step = 0; step < 3e7; step += 1) sum += Math.sqrt(step)
    return sum > 0 ? performance.now() - begin : 0
  })()`
    const run = async (): Promise<number> => await page.evaluate<number>(work)
    // The machine may stand still in any run, and may be slow in some seconds: what is compared runs one right after the other.
    const ratios: number[] = []
    do {
      const usual = await run()
      ratios.push((await withSlowCpu(page, 10, run)) / usual)
    } while ((ratios.at(-1) ?? 0) <= 2 && ratios.length < 10)
    t.true((ratios.at(-1) ?? 0) > 2, ratios.join())
  })
