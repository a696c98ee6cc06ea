// The path of a new user: sign up, mint a key, send a span, see its trace whatever its ids are; and which secrets can be read afterwards.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import type { Route } from 'playwright-core'
import type { WatchedPage } from '../_kit/browser.ts'
import { encodeRequest, makeResourceSpans, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { exportSpans } from '../demo/interface.ts'
import { actAndSettle, goAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { keepAnswers, readStores } from './_stores.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const keyPattern = /tw_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/

/** Ends on the start page of a new workspace. */
async function signUp({ page }: WatchedPage): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Organization').fill('Newcomers')
  await page.getByLabel('E-mail').fill(`${randomBytes(6).toString('hex')}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill(randomBytes(12).toString('base64url'))
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/w\/[0-9a-f-]{36}\/start/)
}

async function mintKey({ page }: WatchedPage): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByText(keyPattern).first()
  await shown.waitFor()
  return keyPattern.exec(await shown.innerText())?.[0] ?? ''
}

async function sendSpan(key: string): Promise<string> {
  const traceId = randomTraceId()
  const body = encodeRequest([makeResourceSpans({ spans: [makeSpan({ traceId, name: 'hello' })] })])
  const { rejected } = await exportSpans(service.baseUrl, key, gzipSync(body))
  if (rejected > 0) throw new Error('the span was rejected')
  return traceId
}

test.serial(
  'a newcomer mints a key, sees whether requests with it arrive, and is led to the first trace',
  async (t) => {
    const watched = await browser.open(t, service.baseUrl)
    await signUp(watched)
    const key = await mintKey(watched)
    await watched.page.getByText('No request with an API key of this workspace has arrived').waitFor()
    const send = async (): Promise<number> => {
      const { status } = await fetch(`${service.baseUrl}/v1/otlp/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
        body: 'hello',
      })
      return status
    }
    // A new key is looked up in the database, which may be too busy to answer in time.
    let status = 503
    await until(async () => {
      status = await send()
      return status !== 503
    })
    t.is(status, 415)
    await watched.page.getByText('Requests arrive: an API key was last used').waitFor()
    // The mark beside "Waiting" moves, except for people who want no motion, as all tests do.
    const count = async (): Promise<number> => await watched.page.evaluate<number>('document.getAnimations().length')
    t.is(await count(), 0)
    await watched.page.emulateMedia({ reducedMotion: 'no-preference' })
    await until(async () => (await count()) > 0)
    await watched.page.emulateMedia({ reducedMotion: 'reduce' })

    const traceId = await sendSpan(key)
    const link = watched.page.locator(`a[href*="${traceId}"]`).first()
    await link.waitFor()
    t.regex((await link.getAttribute('href')) ?? '', new RegExp(`^/w/[0-9a-f-]{36}/traces/${traceId}`))
    // Both pages read the keys: they share one entry of the cache.
    await watched.page.getByRole('link', { name: 'Keys' }).click()
    await watched.page.getByRole('region', { name: 'Keys that work' }).getByText('my agents').waitFor()
  },
)

test.serial(
  'checks 33 and 34: a key is shown once, and after that is in no page, storage, history or response; no script can read the tokens of the session',
  async (t) => {
    const watched = await browser.open(t, service.baseUrl)
    const { page } = watched
    const tokens = new Set<string>()
    page.on('request', (request) => {
      const token = request.headers()['authorization']
      if (token !== undefined) tokens.add(token)
    })
    const readAllAnswers = keepAnswers(page)
    await signUp(watched)
    const key = await mintKey(watched)
    t.is(tokens.size, 1, 'that of signing up')
    // The control: where the key is shown, this finds it.
    t.true((await readStores(page)).includes(key))
    const sooner = await readAllAnswers()
    const start = page.url()
    const showsStart = async (): Promise<void> =>
      await page.getByRole('heading', { level: 1, name: 'Send your first trace' }).waitFor()
    await actAndSettle(page, async () => {
      await page.reload()
      await showsStart()
    })
    const stores = await readStores(page)
    t.false(stores.includes(key))

    t.is(tokens.size, 2, 'one of signing up, one of the reload')
    const cookies = await page.context().cookies()
    t.deepEqual(
      cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite })),
      [{ name: '__Host-tw_refresh', httpOnly: true, secure: true, sameSite: 'Strict' }],
    )

    await goAndSettle(page, start.slice(service.baseUrl.length).replace(/\/start.*/, ''))
    await actAndSettle(page, async () => {
      await page.goBack()
      // A change of the address by the previous page ends the wait for the way back.
      await showsStart()
    })
    t.false((await readStores(page)).includes(key))
    const answers = await readAllAnswers()
    const later = answers.slice(sooner.length)
    t.true(later.some((one) => one.startsWith('/v1/')))
    t.deepEqual(
      later.filter((one) => one.includes(key)),
      [],
    )
    for (const token of tokens) t.false(stores.includes(token.replace('Bearer ', '')))
    for (const { value } of cookies) t.false([stores, ...answers].some((one) => one.includes(value)))
    t.false([stores, ...answers].some((one) => /tw_rt_/.test(one)))
  },
)

// These ids look like numbers, one of them with an exponent.
const traceId = '12345678901234567890123456789012'
const digits = '1234567890123456'
const exponent = '662e410000000000'
const session = '12345678901234567890'

test.serial('check 17: ids that look like numbers survive in `?span=` and `session_id`', async (t) => {
  const attributes = { 'session.id': session }
  const spans = [
    makeSpan({ traceId, spanId: digits, name: 'the root', attributes }),
    makeSpan({ traceId, spanId: exponent, parentSpanId: digits, name: 'the child', attributes }),
  ]
  await exportSpans(service.baseUrl, service.key, gzipSync(encodeRequest([makeResourceSpans({ spans })])))
  const { page } = await browser.open(t, service.baseUrl)
  await signIn(page, service.baseUrl, service)
  const traces = `/w/${service.workspaceId}/traces`
  for (const [spanId, name] of [
    [digits, 'the root'],
    [exponent, 'the child'],
  ] as const) {
    const address = `${traces}/${traceId}?span=${spanId}`
    await (spanId === digits ? openAndSettle : goAndSettle)(page, address)
    t.is(
      await page
        .locator('[role=row][aria-selected=true]')
        .innerText()
        .then((text) => text.includes(name)),
      true,
      spanId,
    )
    t.is(page.url(), service.baseUrl + address)
  }
  const address = `${traces}?session_id=${session}`
  await goAndSettle(page, address)
  await page.locator(`a[href*="${traceId}"]`).first().waitFor()
  t.is(page.url(), service.baseUrl + address)
  t.is(await page.getByLabel('Session').inputValue(), session)
  // Through the page's own links, and back.
  await page.locator(`a[href*="${traceId}"]`).first().click()
  await page.waitForURL(`**${traces}/${traceId}**`)
  t.is(new URL(page.url()).searchParams.get('session_id'), session)
  await page.goBack()
  await page.waitForURL(service.baseUrl + address)
  t.pass()
})

test.serial(
  'check 33: only its button closes the dialog of a key, and a revoked key stores no further span',
  async (t) => {
    const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
    const { email, password, workspaceId } = await service.signUp()
    await signIn(page, service.baseUrl, { email, password })
    await goAndSettle(page, `/w/${workspaceId}/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('short-lived')
    // Nor does anything close it while the key is being made: it would exist, and nobody would have seen it.
    const asked = Promise.withResolvers<Route>()
    await page.route('**/v1/keys', (route) =>
      route.request().method() === 'POST' ? asked.resolve(route) : route.continue(),
    )
    await page.getByRole('button', { name: 'Make the key' }).click()
    const made = await asked.promise
    await page.getByRole('button', { name: 'Making' }).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await made.continue()
    const key = keyPattern.exec(await page.getByRole('dialog').getByText(keyPattern).first().innerText())?.[0] ?? ''
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    t.true((await readStores(page)).includes(key))
    await page.getByRole('button', { name: 'I stored it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.false((await readStores(page)).includes(key))
    await sendSpan(key)
    await page.getByRole('button', { name: 'Revoke short-lived' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await t.throwsAsync(sendSpan(key), {
      message: /^The service rejected the request with status 401: Not authenticated/,
    })
  },
)
