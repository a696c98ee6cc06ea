// Users change their own account; a session is refused, ended or shared by tabs.
// The tests are serial: simultaneous browsers compete for the machine until a step takes too long.
import test from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { findViolations } from '../_kit/page-checks.ts'
import { until } from '../_kit/until.ts'
import { keepOffers } from './_offers.ts'
import { actAndSettle, goAndSettle, openAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const login = async ({ email, password }: Person) =>
  await service.call('POST', '/v1/auth/login', { token: null, body: { email, password } })

test.serial(
  'a visitor without a session who opens a page reads what the service offers, and no session is requested',
  async (t) => {
    const { page, forgive } = await browser.open(t, service.baseUrl)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
    t.is(await page.getByText('Your session has ended').count(), 0)
    await page.goto('/forgot-password')
    await page.getByText('This service sends no mail. Ask an owner').waitFor()
    await page.goto('/invite/tw_inv_unknown')
    await page.getByRole('heading', { name: 'This invite is not valid' }).waitFor()
    t.is(new URL(page.url()).pathname, '/invite', 'a link of an earlier release')
    forgive(/status of 404/)
    t.true(asked.includes('/v1/meta'))
    t.false(asked.includes('/v1/auth/refresh'))
  },
)

test.serial('after a sign-out the sign-up is offered, as to a new visitor', async (t) => {
  const person = await service.signUp()
  const { page } = await browser.open(t, service.baseUrl)
  await signIn(page, service.baseUrl, person)
  await openAndSettle(page, `/w/${person.workspaceId}/usage`)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByRole('link', { name: 'Sign up' }).waitFor()
  t.is(await page.getByRole('heading', { level: 1 }).innerText(), 'Sign in')
})

test.serial('name and zone are stored in the account: another browser takes the zone from there', async (t) => {
  const person = await service.signUp()
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, person)
  await goAndSettle(page, '/account')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await page.getByLabel('Time zone').selectOption('Asia/Shanghai')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
  const { json } = await service.call('GET', '/v1/auth/me', { token: person.accessToken })
  t.like(json, { user: { name: 'Ada', time_zone: 'Asia/Shanghai' } })

  const other = await browser.open(t, service.baseUrl)
  await signIn(other.page, service.baseUrl, person)
  await openAndSettle(other.page, `/w/${person.workspaceId}/traces`)
  await other.page.getByText('Shanghai, UTC+8').waitFor()
})

test.serial('theme and single keys are switched in this browser', async (t) => {
  const person = await service.signUp()
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, service.baseUrl, person)
  await goAndSettle(page, '/account')
  await page.getByLabel('Dark', { exact: true }).check()
  t.is(await page.locator('html').getAttribute('data-theme'), 'dark')
  await page.getByLabel('Single keys do nothing').check()
  await openAndSettle(page, '/account')
  t.is(await page.locator('html').getAttribute('data-theme'), 'dark')
  await page.keyboard.press('?')
  await page.getByLabel('Single keys act').check()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  t.is(await page.getByRole('dialog').count(), 1)
})

test.serial('a password change ends all other sessions; a wrong current password is shown at its field', async (t) => {
  const person = await service.signUp()
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, person)
  await goAndSettle(page, '/account')
  const current = page.getByRole('textbox', { name: 'Current password' })
  const next = page.getByRole('textbox', { name: 'New password' })
  await current.fill('not the password')
  await next.fill('a-new-password-of-mine')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The current password is wrong').waitFor()
  t.is(await current.getAttribute('aria-invalid'), 'true')
  await current.fill(person.password)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('All other sessions have ended').waitFor()
  t.is(await current.inputValue(), '')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  t.is(await sessions.locator('tbody tr').count(), 1)
  // On a fast machine, the session also began now.
  await sessions.getByRole('cell', { name: 'now', exact: true }).last().waitFor()
  const { status } = await service.call('POST', '/v1/auth/refresh', {
    token: null,
    body: { refresh_token: person.refreshToken },
  })
  t.is(status, 401)
  t.is((await login(person)).status, 401)
  t.is((await login({ ...person, password: 'a-new-password-of-mine' })).status, 200)
  t.is(forgive(/status of 403/).length, 1)
})

test.serial(
  'check 25: after a session is ended elsewhere, the sign-in page opens, and then the same URL',
  async (t) => {
    const person = await service.signUp()
    const [mine, other] = [
      await browser.open(t, service.baseUrl, { keep: keepApp }),
      await browser.open(t, service.baseUrl),
    ]
    for (const { page } of [mine, other]) await signIn(page, service.baseUrl, person)
    const address = `/w/${person.workspaceId}/traces?range=7d&status=error`
    // The page polls every half minute: that could lead to the sign-in page before the click.
    await other.page.addInitScript('globalThis.setInterval = () => 0')
    await openAndSettle(other.page, address)
    await goAndSettle(mine.page, '/account')
    await mine.page.getByRole('button', { name: 'End all others' }).click()
    const sessions = mine.page.getByRole('region', { name: 'Sessions' }).locator('tbody tr')
    await sessions.nth(1).waitFor({ state: 'detached' })
    t.is(await sessions.count(), 1)

    await other.page.getByRole('button', { name: 'Refresh' }).click()
    await other.page.waitForURL(/\/sign-in\?next=/)
    await other.page.getByText('Your session has ended').waitFor()
    await other.page.getByLabel('E-mail').fill(person.email)
    await other.page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.waitForURL(`**${address}`)
    await other.page.getByRole('heading', { name: 'Traces', level: 1 }).waitFor()
    other.forgive(/status of 401/)
  },
)

test.serial('the input of a form is kept when the session ends', async (t) => {
  const person = await service.signUp()
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, person)
  const address = `/w/${person.workspaceId}/settings/general`
  await goAndSettle(page, address)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Support, production')
  await service.call('DELETE', '/v1/auth/sessions', { token: person.accessToken })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  t.is(new URL(page.url()).pathname, address)
  t.deepEqual(await findViolations(page, ['dark'], { within: '[role=dialog]' }), [])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
  t.is(await name.inputValue(), 'Support, production')
  // The person is signed in now, and what they sent before was not done.
  await page.getByText('Your session had ended, so this was not done: try again.').waitFor()
  t.is(await page.getByRole('alert').getByText('Not authenticated').count(), 0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Workspace: Support, production' }).waitFor()
  forgive(/status of 401/)
})

/** The service refuses this token from now on, as if it had expired, and refuses it to all tabs at once: when each has sent it. */
async function spoil(tabs: readonly Page[], context: BrowserContext, token: string): Promise<void> {
  const asking = new Set<Page>()
  const { promise: allAsk, resolve } = Promise.withResolvers<void>()
  await context.route('**/v1/**', async (route) => {
    const headers = route.request().headers()
    if (headers['authorization'] !== token) return await route.continue()
    asking.add(route.request().frame().page())
    if (asking.size === tabs.length) resolve()
    await allAsk
    await route.continue({ headers: { ...headers, authorization: `${token}x` } })
  })
}

/** How long a tab waits for the answers of the others. */
const longestAnswerMs = 1_000

const showsTraces = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Traces', level: 1 }).waitFor()
}

test.serial('check 25: a 401 in three tabs at once leads to one refresh', async (t) => {
  const person = await service.signUp()
  const { page, forgive } = await browser.open(t, service.baseUrl)
  const context = page.context()
  await signIn(page, service.baseUrl, person)
  const address = `/w/${person.workspaceId}/traces`
  const tabs = [page, await context.newPage(), await context.newPage()]
  // None of them is frozen, however long it takes to answer.
  for (const tab of tabs) await keepOffers(tab, longestAnswerMs)
  const tokens = new Set<string>()
  let refreshes = 0
  context.on('request', (request) => {
    const token = request.headers()['authorization']
    if (token !== undefined) tokens.add(token)
    if (new URL(request.url()).pathname === '/v1/auth/refresh') refreshes += 1
  })
  for (const tab of tabs) await openAndSettle(tab, address)
  t.is(refreshes, 1, 'the second tab and the third ask the first')
  t.is(tokens.size, 1)
  const [token = ''] = tokens

  await spoil(tabs, context, token)
  const answered = tabs.map(
    async (tab) =>
      await tab.waitForResponse((response) => response.url().includes('/traces?') && response.status() === 200),
  )
  const refresh = async (tab: Page): Promise<void> => await tab.getByRole('button', { name: 'Refresh' }).click()
  await Promise.all(tabs.map(async (tab) => await actAndSettle(tab, async () => await refresh(tab))))
  await Promise.all(answered)
  t.is(refreshes, 2)
  t.is(tokens.size, 2, 'all tabs have the same new one')
  for (const tab of tabs) await showsTraces(tab)
  forgive(/status of 401/)
})

test.serial('an account is deleted with its password, after the consequences were shown', async (t) => {
  const person = await service.signUp()
  const { page, forgive } = await browser.open(t, service.baseUrl)
  await signIn(page, service.baseUrl, person)
  const members = /\/members(\?|$)/
  await page.route(members, (route) => route.fulfill({ status: 500, json: { detail: 'No members' } }))
  await openAndSettle(page, '/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No members.').waitFor()
  await page.unroute(members)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await dialog.getByText('it has no other members, so it is deleted and all data of Default').waitFor()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the password')
  await dialog.getByRole('button', { name: 'Delete my account permanently' }).click()
  await dialog.getByText('The current password is wrong').waitFor()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password)
  await dialog.getByRole('button', { name: 'Delete my account permanently' }).click()
  await page.getByText('Your account was deleted.').waitFor()
  t.is(new URL(page.url()).search, '?reason=deleted')
  t.is((await login(person)).status, 401)
  // The page signs out after it has shown the text.
  await until(async () => (await page.context().cookies()).length === 0)
  forgive(/status of (403|500)/)
})

test.serial('the last owner of an org with other members gets a link to the members instead of the form', async (t) => {
  const owner = await service.signUp()
  const body = { email: 'other-member@example.com', role: 'member' }
  const { json } = await service.call('POST', `/v1/orgs/${owner.orgId}/invites`, { token: owner.accessToken, body })
  const invited = { email: body.email, password: owner.password, invite_token: (json as { token: string }).token }
  t.is((await service.call('POST', '/v1/auth/signup', { token: null, body: invited })).status, 201)
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, owner)
  await goAndSettle(page, '/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('you are its last owner, so this is refused').waitFor()
  t.is(await dialog.getByRole('textbox').count(), 0)
  await dialog.getByRole('link', { name: /^Members of/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
})

test.serial(
  'an invite is created once, a second one shows a warning, and the page of the invite describes it',
  async (t) => {
    const owner = await service.signUp()
    const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
    await signIn(page, service.baseUrl, owner)
    await goAndSettle(page, `/o/${owner.orgId}/settings/invites`)
    const address = page.getByRole('textbox', { name: 'E-mail' })
    const link = page.getByRole('region', { name: 'Invite link' })
    await address.fill('Guest@example.com')
    await page.getByLabel('Role').selectOption('viewer')
    await page.getByText('Reads everything and changes nothing.').waitFor()
    await page.getByRole('button', { name: 'Create invite' }).click()
    await link.waitFor()
    const first = await link.innerText()
    t.is(await address.inputValue(), '', 'a second click sends nothing')
    await page.getByRole('cell', { name: 'guest@example.com' }).waitFor()
    await address.fill('guest@example.com')
    await page.getByRole('button', { name: 'Create invite' }).click()
    await page.getByText('A new one ends its link.').waitFor()
    t.is(await link.innerText(), first)
    await page.getByRole('button', { name: 'Replace the invite' }).click()
    await page.getByText('A new one ends its link.').waitFor({ state: 'detached' })
    await until(async () => (await link.innerText()) !== first)

    const guest = await browser.open(t, service.baseUrl)
    await guest.page.goto(first)
    await guest.page.getByRole('heading', { name: 'This invite is not valid' }).waitFor()
    await guest.page.goto(await link.innerText())
    await guest.page.getByText(`${owner.email} invited you to`).waitFor()
    t.is(guest.page.url(), `${service.baseUrl}/invite`)
    await guest.page.getByRole('link', { name: 'Sign in' }).click()
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.is(guest.page.url(), `${service.baseUrl}/sign-in?next=%2Finvite`)
    await guest.page.goBack()
    await guest.page.getByText(`${owner.email} invited you to`).waitFor()
    await guest.page.getByLabel('E-mail').fill('other@example.com')
    await guest.page.getByRole('textbox', { name: 'Password' }).fill('a long enough passphrase')
    await guest.page.getByRole('button', { name: 'Sign up and join' }).click()
    await guest.page.getByText('The invite is for another address').waitFor()
    await guest.page.getByLabel('E-mail').fill('guest@example.com')
    await guest.page.getByRole('button', { name: 'Sign up and join' }).click()
    await guest.page.getByRole('heading', { name: /^You joined/ }).waitFor()
    guest.forgive(/status of 404/)
  },
)

test.serial(
  'an invite is kept while its holder signs in, and its token is in no request but those for it',
  async (t) => {
    const [owner, person] = [await service.signUp(), await service.signUp()]
    const body = { email: person.email, role: 'viewer' }
    const { json } = await service.call('POST', `/v1/orgs/${owner.orgId}/invites`, { token: owner.accessToken, body })
    const { token } = json as { token: string }
    const { page } = await browser.open(t, service.baseUrl)
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto(`/invite#token=${token}`)
    await page.getByText(`${owner.email} invited you to`).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Accept the invite' }).waitFor()
    t.is(page.url(), `${service.baseUrl}/invite`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: /^You joined/ }).waitFor()
    // Browsers send no fragment; the driver shows it.
    t.deepEqual(
      urls.filter((url) => url.split('#')[0]?.includes(token)),
      [],
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Open the link of your invite' }).waitFor()
  },
)
