// Checks of every page: it sends requests to no other host, reports no errors, passes axe in both themes, and fits a phone and a window that
// is magnified to 200 %.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { sendFleet } from '../_kit/dashboard.ts'
import { inGroups } from '../_kit/in-groups.ts'
import { findSidewaysScroll, findViolations, themes } from '../_kit/page-checks.ts'
import { callAccepted, type Tenant } from '../_kit/sign-up.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { makeSpan, type OtlpSpan, randomTraceId } from '../_kit/spans.ts'
import {
  type DashboardPage,
  dashboardPages,
  findPlace,
  goAndSettle,
  inviteStranger,
  nowhere,
  openAndSettle,
  type Place,
} from './_pages.ts'
import { joinScene, type Service } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { idOf, sendSpans } from './_traces.ts'

/** Without a space, at which a line could end. */
const longName = 'summarize_customer_conversation_'.repeat(4)
/** Longer than a cell of any table. */
const longEmail = `${'first.and.last.name.'.repeat(2)}${randomBytes(4).toString('hex')}@subsidiary.example.com`

const { service, browser, stop, prepared } = await joinScene(async (own) => {
  await sendFleet(own, inSoak(6, 30))
  const find = async (): Promise<Place> => await findPlace(own.baseUrl, await own.token(), own.workspaceId)
  const fleet = await find()
  const body = { type: 'reuse_identity', tool_name: longName }
  await own.call('POST', `/v1/workspaces/${own.workspaceId}/decisions`, { body })
  await inviteMember(own)
  await sendSpans(own.baseUrl, own, makeLongNames())
  await own.settled()
  const long = await find()
  return { filled: { ...fleet, decisionId: long.decisionId }, long, newcomer: await own.signUp() }
})
const { filled, long, newcomer } = prepared
const empty = { ...nowhere, workspaceId: newcomer.workspaceId }
test.after.always(stop)

/** Dialogs and menus of the same form as others, which only the soak opens. */
const likeOthers = new Set(['revoke', 'workspaces', 'copy link', 'delete workspace', 'role', 'remove member'])
const overlay = '[role=dialog], [role=menu]'
const newKey = 'new key'
const accountMenu = 'account menu'
const policy = /default-src 'none'.*require-trusted-types-for 'script'/
const phone = { width: 320, height: 700 }
/** The soak also has the rows of tables that fit into a higher window: axe takes as long for each of them as for a small page. */
const desktop = { width: 1_280, height: inSoak(560, 800) }
/** What a window of the desktop's size shows at 200 %. */
const magnified = { width: 640, height: 400 }

/** A trace whose names are all long, with the highest cost of its workspace. */
function makeLongNames(): OtlpSpan[] {
  const traceId = randomTraceId()
  const common = { 'gen_ai.agent.name': longName, 'session.id': longName }
  const model = { 'gen_ai.request.model': longName, 'gen_ai.usage.cost': 1_000 }
  return [
    makeSpan({
      traceId,
      spanId: idOf(1),
      name: longName,
      attributes: { ...common, 'gen_ai.operation.name': 'chat', ...model },
    }),
    makeSpan({
      traceId,
      parentSpanId: idOf(1),
      name: longName,
      attributes: { ...common, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': longName },
      status: { code: 2, message: longName },
    }),
  ]
}

async function inviteMember({ baseUrl, orgId, call }: Service): Promise<void> {
  const invite = await call('POST', `/v1/orgs/${orgId}/invites`, { body: { email: longEmail, role: 'member' } })
  const { token } = invite.json as { token: string }
  await callAccepted(baseUrl, '/v1/auth/signup', null, { email: longEmail, password: longEmail, invite_token: token })
}

type Look = {
  /** Reached from the page before, if there is one, and not opened at its address. */
  readonly isInApp: boolean
  /** Also in the light theme and wide, and at 200 %. */
  readonly isWideToo: boolean
}

async function findFaults(page: Page, path: string, { isInApp, isWideToo }: Look): Promise<string[]> {
  const policies: Promise<string | null>[] = []
  await page.setViewportSize(desktop)
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) policies.push(response.headerValue('content-security-policy'))
  })
  await (isInApp ? goAndSettle : openAndSettle)(page, path)
  page.removeAllListeners('response')
  const faults = (await Promise.all(policies)).filter((one) => !policy.test(one ?? '')).map((one) => `policy: ${one}`)
  const address = new URL(page.url())
  // The page of an invite removes the token from the address.
  if (address.pathname + address.search !== path.split('#')[0]) faults.push(`it went to ${page.url()}`)
  const headings = await page.locator('h1').count()
  if (headings !== 1) faults.push(`${headings} headings of the first level`)
  if (isWideToo) {
    faults.push(...(await findViolations(page, ['light'])))
    await page.setViewportSize(magnified)
    faults.push(...(await findSidewaysScroll(page)).map((fault) => `at 200 %: ${fault}`))
  }
  await page.setViewportSize(phone)
  const rules = isWideToo ? 'appearance' : 'all'
  return [...faults, ...(await findViolations(page, ['dark'], { rules })), ...(await findSidewaysScroll(page))]
}

/** The browser fails the test if a page reports an error or sends a request to another host: checks 1 and 5. */
async function inspect(
  t: ExecutionContext,
  pages: readonly DashboardPage[],
  place: Place,
  person: Tenant | null,
  look: Look,
): Promise<void> {
  const { page } = await browser.open(t, service.baseUrl, look.isInApp ? { keep: keepApp } : {})
  if (person !== null) await signIn(page, service.baseUrl, person)
  const faults: string[] = []
  for (const one of pages) {
    const path = one.path(place)
    if (path === null) continue
    const isWideToo = look.isWideToo && (isSoak || !alike.has(one.name))
    const found = await findFaults(page, path, { isInApp: look.isInApp, isWideToo })
    faults.push(...found.map((fault) => `${path}: ${fault}`))
  }
  t.deepEqual(faults, [])
}

const [open, closed] = [true, false].map((isOpen) =>
  dashboardPages.filter(({ isOpen: isOpenPage = false }) => isOpenPage === isOpen),
) as [DashboardPage[], DashboardPage[]]

/** A few pages in each test: all of them would give no output for minutes, which the test run takes for a test that hangs. */
const pagesInTest = 5
/** These pages consist of the same forms and short tables, and show the same without traces: only the soak also opens them wide and light. */
const alike = new Set(['keys', 'settings', 'org-settings', 'account'])
/** These pages show other components without traces. The soak opens all that differ. */
const other = new Set(['overview', 'traces', 'decisions', 'findings', 'savings'])
const nameOf = ({ name, part = '' }: DashboardPage): string => [name, part].filter((word) => word !== '').join(' ')
const listNames = (pages: readonly DashboardPage[]): string => pages.map(nameOf).join(', ')

test.serial('the tests cover every page except that of people without a workspace', (t) => {
  const folders = readdirSync(new URL('../../dashboard/src/pages/', import.meta.url))
  t.deepEqual(
    [...new Set(dashboardPages.map(({ name }) => name))].toSorted(),
    folders.filter((name) => name !== 'home').toSorted(),
  )
})

test.serial('checks 1, 5, 28 and 31: every page without a sign-in passes', async (t) => {
  const place = await inviteStranger(service.baseUrl, await service.token(), service.orgId)
  await inspect(t, open, place, null, { isInApp: false, isWideToo: true })
})

for (const pages of inGroups(closed, pagesInTest)) {
  test.serial(`checks 28 and 31, with traces: ${listNames(pages)}`, async (t) => {
    t.true(pages.every(({ path }) => path(filled) !== null))
    await inspect(t, pages, filled, service, { isInApp: true, isWideToo: true })
  })
}

// Their frames and colours were checked in both themes, with traces.
for (const pages of inGroups(
  closed.filter(({ name, path }) => (isSoak ? !alike.has(name) : other.has(name)) && path(empty) !== null),
  pagesInTest,
)) {
  test.serial(`checks 5, 28 and 31, dark and narrow, without traces: ${listNames(pages)}`, async (t) => {
    await inspect(t, pages, empty, newcomer, { isInApp: true, isWideToo: false })
  })
}

test.serial('check 31: the pages of a trace, a session and an agent with long names fit a phone', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { viewport: phone, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const faults: string[] = []
  for (const one of closed.filter(({ name }) => /^(trace|session|agent)$/.test(name))) {
    const path = one.path(long)
    if (path === null) throw new Error(`there is no page of a long ${one.name}`)
    await goAndSettle(page, path)
    faults.push(...(await findSidewaysScroll(page)).map((fault) => `${one.name}: ${fault}`))
  }
  t.deepEqual(faults, [])
})

test.serial('check 28: dialogs and menus pass axe too', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { viewport: desktop, keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const workspace = `/w/${service.workspaceId}`
  const org = `/o/${service.orgId}/settings`
  const press = (name: string | RegExp) => async (): Promise<void> =>
    await page.getByRole('button', { name }).first().click()
  const type = (key: string) => async (): Promise<void> => await page.keyboard.press(key)
  const openers: readonly (readonly [path: string, what: string, open: () => Promise<void>])[] = [
    [`${workspace}/keys`, newKey, press('New key')],
    [`${workspace}/keys`, 'revoke', press(/^Revoke /)],
    [`${workspace}/keys`, 'help', type('?')],
    [`${workspace}/keys`, accountMenu, press(/^Account/)],
    [`${workspace}/keys`, 'workspaces', press(/^Workspace: /)],
    [`${workspace}/keys`, 'palette', type('Control+k')],
    [`${workspace}/traces`, 'window', press(/Last /)],
    [`${workspace}/traces`, 'copy link', type('c')],
    [`${workspace}/traces`, 'as API', press('As API')],
    [`${workspace}/decisions/${filled.decisionId}`, 'move', press('Disable')],
    [`${workspace}/settings/prices`, 'price', press('Add a price')],
    [
      `${workspace}/settings/retention`,
      'retention',
      async () => {
        await page.getByRole('radio', { name: 'For a number of days' }).check()
        await page.getByRole('textbox', { name: 'Days' }).fill('8')
        await page.getByRole('button', { name: 'Save' }).last().click()
      },
    ],
    [`${workspace}/settings/danger`, 'delete workspace', press(/^Delete this/)],
    [`${org}/members`, 'role', press(`Change the role of ${longEmail}`)],
    [`${org}/members`, 'reset link', press(`Make a reset link for ${longEmail}`)],
    [`${org}/members`, 'remove member', press(`Remove ${longEmail}`)],
    ['/account', 'delete account', press('Delete my account')],
  ]
  const faults: string[] = []
  const opened = page.locator(overlay).first()
  let shown: string | null = null
  for (const [path, what, open] of openers.filter(([, what]) => isSoak || !likeOthers.has(what))) {
    if (path !== shown) await goAndSettle(page, path)
    shown = path
    await open()
    await opened.waitFor()
    // One dialog and one menu in both themes: the others have the same colours.
    const colorSchemes = what === newKey || what === accountMenu ? themes : (['dark'] as const)
    const found = await findViolations(page, colorSchemes, { within: overlay })
    faults.push(...found.map((fault) => `${what}: ${fault}`))
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  t.deepEqual(faults, [])
})
