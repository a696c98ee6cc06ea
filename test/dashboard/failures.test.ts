// What the page shows if the service refuses, is slow, is unreachable or sends garbage, and what remains over plain HTTP. Answers that only
// an overloaded service or a proxy gives are substituted for the real ones.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { insecureHost, type PageOptions, type WatchedPage } from '../_kit/browser.ts'
import { makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { copiedMs, keepOffers } from './_offers.ts'
import { actAndSettle, go, goAndSettle, goAnewAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const workspace = `/w/${service.workspaceId}`
const summary = /\/stats\/summary/
const refused = /Failed to load resource/
/** A summary of decisions. */
const oneRule = JSON.stringify({ total: 1, by_state: { proposed: 1, shadow: 0, active: 0, disabled: 0 } })

test.before(async () => {
  await sendSpans(service.baseUrl, service, [
    makeSpan({ name: 'hello', attributes: { 'gen_ai.operation.name': 'chat' } }),
  ])
  await service.settled()
})

async function openPage(
  t: ExecutionContext,
  person: Person = service,
  options: PageOptions = { keep: keepApp },
): Promise<WatchedPage> {
  const watched = await browser.open(t, service.baseUrl, options)
  await signIn(watched.page, service.baseUrl, person)
  return watched
}

type Answer = { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }

/** Makes the service seem to give this answer. Returns a function that ends that. */
async function answerWith(page: Page, url: RegExp, answer: Answer): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ contentType: 'application/json', ...answer }))
  return async () => await page.unroute(url)
}

const calls = (page: Page) => page.getByRole('definition').filter({ hasText: /\d/ }).nth(1)

/** JavaScript of the page: forgets the list of keys and requests it. */
const forgetKeys = "void __TSR_ROUTER__.options.context.queries.resetQueries({ queryKey: ['keys'] })"

test.serial(
  'check 26: 500 shows its request id, 429 and 503 count down, malformed responses are reported, and shown data stays',
  async (t) => {
    const { page, forgive } = await openPage(t, service, { hasClock: true, keep: keepApp })
    await goAndSettle(page, `${workspace}/keys`)
    const list = /\/v1\/keys\?/
    const table = page.getByRole('region', { name: 'Keys that work' })
    await table.waitFor()
    // As a reload, after which nothing is shown yet.
    const forget = async (): Promise<void> => await page.evaluate(forgetKeys)

    let end = await answerWith(page, list, {
      status: 500,
      body: '{"detail":"The service failed"}',
      headers: { 'x-request-id': 'request-500' },
    })
    await forget()
    await page.getByText('The service failed.').waitFor()
    await page.getByText('request-500').waitFor()
    await page.getByRole('button', { name: 'Copy the request id' }).waitFor()
    await end()
    await page.getByRole('button', { name: 'Retry' }).click()
    await table.waitFor()
    t.is(await page.getByRole('alert').count(), 0)

    end = await answerWith(page, list, {
      status: 500,
      body: '{"detail":"Internal error: the log has the cause, with the request id request-501"}',
      headers: { 'x-request-id': 'request-501' },
    })
    await forget()
    await page.getByRole('button', { name: 'Copy the request id' }).waitFor()
    t.is(await page.getByText('request-501').count(), 1, 'an id that the text has is not repeated')
    await end()
    await page.getByRole('button', { name: 'Retry' }).click()
    await table.waitFor()

    for (const [status, detail] of [
      [429, 'Too many requests'],
      [503, 'The service cannot commit now'],
    ] as const) {
      end = await answerWith(page, list, { status, body: JSON.stringify({ detail }), headers: { 'retry-after': '20' } })
      await forget()
      await page.getByText(`${detail}.`).waitFor()
      await page.getByText(/Try again in (?:[1-9]|1\d|20) s\./).waitFor()
      await end()
      // The page retries without a click.
      await page.clock.fastForward(21_000)
      await table.waitFor()
      t.is(await page.getByRole('alert').count(), 0)
    }
    end = await answerWith(page, list, { status: 200, body: '[{"id": "cut of' })
    await forget()
    // After three retries, whose delays the clock skips.
    await until(async () => {
      await page.clock.fastForward(5_000)
      return await page.getByText('The response of the service cannot be read').isVisible()
    })
    await end()
    await page.getByRole('button', { name: 'Retry' }).click()
    await table.waitFor()

    // A dialog stays until its request is answered, since nobody would read the failure otherwise.
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/keys\/[^?]+$/, async (route) => {
      await held.promise
      await route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"Not revoked"}' })
    })
    await table.getByRole('button', { name: /^Revoke/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Revoke the key' }).click()
    await dialog.getByText('Revoking…').first().waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(4, 4)
    t.is(await dialog.count(), 1)
    t.is(await dialog.getByRole('button', { name: 'Keep it' }).getAttribute('aria-disabled'), 'true')
    held.resolve()
    await dialog.getByText('Not revoked.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    forgive(refused)
  },
)

test.serial(
  'a request that is never answered ends: a list offers a retry, and a dialog says that its change may have been made',
  async (t) => {
    const { page } = await openPage(t, service, {})
    // The limit of all requests is reached when the test says so.
    await page.addInitScript(`
    const limit = new AbortController()
    AbortSignal.timeout = () => limit.signal
    globalThis.reachLimit = () => limit.abort(new DOMException('too late', 'TimeoutError'))
  `)
    const end = async (): Promise<void> => void (await page.evaluate('reachLimit()'))
    const keys = /\/v1\/keys(\?|$)/
    await page.route(keys, () => undefined)
    const asked = page.waitForRequest(keys)
    await page.goto(`${workspace}/keys`)
    await asked
    await end()
    await page.getByText('The service has not answered within 60 s.').waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()

    await page.unroute(keys)
    await openAndSettle(page, `${workspace}/keys`)
    await page.route(keys, (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('a key')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && keys.test(request.url()))
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    await sent
    await end()
    await dialog.getByText('The change may have been made: reload the page to see, before you try again.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    t.is(await page.getByRole('alert').count(), 0)
  },
)

test.serial('check 26: loaded data stays if a refresh fails, and the page says that it is offline', async (t) => {
  const { page, forgive } = await openPage(t)
  await goAndSettle(page, workspace)
  const shown = await calls(page).innerText()
  const end = await answerWith(page, summary, { status: 500, body: '{"detail":"The figures failed"}' })
  await actAndSettle(page, async () => await page.keyboard.press('r'))
  await page.getByText('The figures failed.').first().waitFor()
  t.is(await calls(page).innerText(), shown)
  await end()
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  t.is(await calls(page).innerText(), shown)
  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  forgive(refused)
})

test.serial('a cost shows that prices are missing, even if other parts of the page are not loaded', async (t) => {
  // Of another user: the other tests rely on the sign-in leading to the only workspace.
  const owner = await service.signUp()
  const call = (model: string) =>
    makeSpan({
      name: model,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 1_000_000,
        'gen_ai.usage.output_tokens': 0,
      },
    })
  await sendSpans(service.baseUrl, owner, [call('gpt-4o'), call('house-model-7')])
  const made = { token: owner.accessToken, body: { name: 'Silent', org_id: owner.orgId } }
  const { id: silentId } = (await service.call('POST', '/v1/workspaces', made)).json as { id: string }
  const { page, forgive } = await openPage(t, owner)
  await answerWith(page, /\/stats\/breakdown\?.*group_by=model/, { status: 500, body: '{"detail":"No models"}' })
  await goAndSettle(page, `/w/${owner.workspaceId}`)
  await page.getByText('No models.').waitFor()
  const tile = page.getByRole('definition').filter({ has: page.getByRole('img', { name: 'Cost over the window' }) })
  t.regex(await tile.innerText(), /^≥ \$2\.50\s+1 call has no price/)

  // Nor does the tile of the rules wait for ever, when their savings do not come.
  let end = await answerWith(page, /\/stats\/savings/, { status: 500, body: '{"detail":"No savings"}' })
  const endCounts = await answerWith(page, /\/findings\/summary/, { status: 500, body: '{"detail":"No counts"}' })
  await goAnewAndSettle(page, `/w/${owner.workspaceId}`)
  await page.getByText('No savings.').waitFor()
  // That there is no notice does not mean that there is nothing to notice.
  const noNotice = page.getByText(/^Notices about .* could not be loaded/)
  t.regex(await noNotice.innerText(), /about critical findings, rules that cost more than they save could/)
  await end()
  await page.getByRole('region', { name: 'Totals' }).getByRole('button', { name: 'Retry' }).click()
  await page.getByText('no call was served').waitFor()
  t.is(await page.getByText('No savings.').count(), 0)
  await endCounts()
  await noNotice.getByRole('button', { name: 'Retry' }).click()
  await noNotice.waitFor({ state: 'detached' })

  end = await answerWith(page, /\/stats\/breakdown/, { status: 500, body: '{"detail":"No figures"}' })
  // A window of which nothing is cached.
  await goAndSettle(page, `/w/${owner.workspaceId}/agents?range=1h`)
  await page.getByText('No figures.').waitFor()
  await end()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('cell', { name: '≥ $2.50' }).waitFor()
  t.is(await page.getByText('No figures.').count(), 0)

  end = await answerWith(page, /\/auth\/me/, { status: 500, body: '{"detail":"Nobody"}' })
  await goAnewAndSettle(page, `/w/${owner.workspaceId}/settings/audit`)
  await page.getByText('Nobody.').waitFor()
  await end()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Entries are kept for 400 days').waitFor()

  // Why nothing was saved is not said by half of the facts.
  await answerWith(page, /\/decisions\?/, { status: 500, body: '{"detail":"No rules"}' })
  await answerWith(page, /\/decisions\/summary/, { status: 200, body: oneRule })
  await goAnewAndSettle(page, `/w/${owner.workspaceId}/savings`)
  await page.getByText('No rules.').waitFor()
  t.is(await page.getByText('none has served a call yet').count(), 0)

  await go(page, `/w/${owner.workspaceId}`)

  // Nor are they taken for those of another workspace, which answers nothing.
  await answerWith(page, new RegExp(`/${silentId}/`), { status: 500, body: '{"detail":"Nothing comes"}' })
  await page.getByRole('button', { name: 'Workspace:' }).click()
  await actAndSettle(page, async () => await page.getByRole('menuitem', { name: 'Silent' }).click())
  await page.getByText('Nothing comes.').first().waitFor()
  t.regex(page.url(), new RegExp(silentId))
  t.notRegex(await page.locator('main').innerText(), /2\.50|gpt-4o/)
  forgive(refused)
})

test.serial('a page whose code is gone after a release is loaded by a retry', async (t) => {
  const { page, forgive } = await openPage(t, service, {})
  await openAndSettle(page, `${workspace}/keys`)
  const style = /\/assets\/Usage.*\.css/
  await page.route(style, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await page.evaluate('globalThis.isOld = true')
  await page.unroute(style)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Received spans by outcome').waitFor()
  // What names the new code is the document.
  t.is(await page.evaluate('globalThis.isOld'), undefined)
  forgive(/Unable to preload CSS/)
  forgive(refused)
})

test.serial(
  'check 26: missing and foreign objects show the same page, a lost role is explained, and a refused field is named',
  async (t) => {
    // A separate workspace: the concurrent tests need the role that is removed here.
    const owner = await service.signUp()
    const { page, forgive } = await openPage(t, owner)
    const own = `/w/${owner.workspaceId}`
    // Texts that cannot be ids name nothing either: one that was cut off while it was copied, one of a character that no text has, a long one.
    const badIds = ['2f5ff0', '%00', 's'.repeat(2_000)]
    const pages = ['traces', 'agents', 'decisions', 'sessions']
    const notFound = page.getByRole('heading', { name: 'Not found' })
    await go(page, workspace)
    await notFound.waitFor()
    for (const path of [
      `${own}/traces/${randomTraceId()}`,
      ...badIds.flatMap((id) => [`/w/${id}`, ...pages.map((one) => `${own}/${one}/${id}`), `/o/${id}/settings`]),
    ]) {
      await goAndSettle(page, path)
      t.is(await notFound.count(), 1, path)
    }
    await goAnewAndSettle(page, `${own}/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(' ')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const field = page.getByRole('textbox', { name: 'Name' })
    await page.locator('[aria-invalid=true]').waitFor()
    t.is(await field.getAttribute('aria-invalid'), 'true')

    await service.query(`update memberships set role = 'viewer' where org_id = $1`, [owner.orgId])
    await field.fill('too late')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('Ask an owner or admin of the organization.').waitFor()
    forgive(refused)
  },
)

test.serial(
  'check 27: over plain HTTP at another address the page explains the limits, and copies by selection',
  async (t) => {
    const baseUrl = service.baseUrl.replace('127.0.0.1', insecureHost)
    const { page, forgive } = await browser.open(t, baseUrl)
    await keepOffers(page, copiedMs)
    await page.goto('/sign-in')
    t.is(await page.evaluate('isSecureContext'), false)
    await page.getByText('your session ends at a reload').waitFor()
    await page.getByLabel('E-mail').fill(service.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(service.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/w\//)
    await page.getByRole('link', { name: 'Traces' }).click()
    await page.getByRole('link', { name: 'hello' }).first().waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Copy: Attesting a tool' }).click()
    await page.getByText('Selected: press Ctrl+C or Cmd+C').waitFor()
    t.regex(await page.evaluate<string>('getSelection().toString()'), /tracewright\.tool/)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('menuitem', { name: /^Frozen/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy link' })
    await dialog.getByRole('button', { name: 'Copy: The link' }).click()
    await dialog.getByText('Selected: press Ctrl+C or Cmd+C').waitFor()
    t.regex(await page.evaluate<string>('getSelection().toString()'), /^http:.*\?from_time=.*&to_time=/)
    // The browser accepts this header over TLS only.
    forgive(/Cross-Origin-Opener-Policy header has been ignored/)
  },
)

test.serial('check 32: no frame of a page is painted in the other theme', async (t) => {
  const { page } = await openPage(t, service, {})
  for (const [theme, colorScheme] of [
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.addInitScript(`
      localStorage.setItem('tracewright.theme', '${theme}')
      globalThis.painted = new Set()
      const look = () => {
        if (document.body !== null) painted.add(document.documentElement.dataset.theme + ' ' + getComputedStyle(document.body).backgroundColor)
        requestAnimationFrame(look)
      }
      look()
    `)
    await openAndSettle(page, `${workspace}/keys`)
    const painted = await page.evaluate<string[]>('[...painted]')
    t.is(painted.length, 1, painted.join())
    t.true(painted[0]?.startsWith(theme), painted.join())
  }
})
