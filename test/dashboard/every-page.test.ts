// Checks of every page: it sends requests to no other host, reports no errors, passes axe in both themes, and fits a phone.
import { readdirSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { sendFleet } from '../_kit/dashboard.ts'
import { inGroups } from '../_kit/in-groups.ts'
import { findSidewaysScroll, findViolations, themes } from '../_kit/page-checks.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
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
import { joinScene } from './_scene.ts'
import { signIn } from './_sign-in.ts'

const { service, browser, stop, prepared } = await joinScene(async (own) => {
  await sendFleet(own, inSoak(12, 30))
  const body = { type: 'reuse_identity', tool_name: 'search' }
  await own.call('POST', `/v1/workspaces/${own.workspaceId}/decisions`, { body })
  const filled = await findPlace(own.baseUrl, await own.token(), own.workspaceId)
  return { filled, newcomer: await own.signUp() }
})
const { filled, newcomer } = prepared
const empty = { ...nowhere, workspaceId: newcomer.workspaceId }
test.after.always(stop)

const overlay = '[role=dialog], [role=menu]'
const policy = /default-src 'none'.*require-trusted-types-for 'script'/
const phone = { width: 320, height: 700 }
const desktop = { width: 1_280, height: 800 }

type Look = {
  /** Reached from the page before, and not opened at its address. */
  readonly isInApp: boolean
  /** Also in the light theme and wide. */
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
  if (isWideToo) faults.push(...(await findViolations(page, ['light'])))
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
  const { page } = await browser.open(t, service.baseUrl)
  if (person !== null) await signIn(page, service.baseUrl, person)
  const faults: string[] = []
  for (const path of pages.map((one) => one.path(place)).filter((one) => one !== null))
    faults.push(...(await findFaults(page, path, look)).map((fault) => `${path}: ${fault}`))
  t.deepEqual(faults, [])
}

const [open, closed] = [true, false].map((isOpen) =>
  dashboardPages.filter(({ isOpen: isOpenPage = false }) => isOpenPage === isOpen),
) as [DashboardPage[], DashboardPage[]]

/** A few pages in each test: all of them would give no output for minutes, which the test run takes for a test that hangs. */
const pagesInTest = 5
/** These pages show the same without traces. */
const alike = new Set(['keys', 'settings', 'org-settings', 'account'])
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
  closed.filter(({ name, path }) => !alike.has(name) && path(empty) !== null),
  pagesInTest,
)) {
  test.serial(`checks 1, 5, 28 and 31, dark and narrow, without traces: ${listNames(pages)}`, async (t) => {
    await inspect(t, pages, empty, newcomer, { isInApp: false, isWideToo: false })
  })
}

test.serial('check 28: dialogs and menus pass axe too', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { viewport: desktop })
  await signIn(page, service.baseUrl, service)
  const workspace = `/w/${service.workspaceId}`
  const openers: readonly (readonly [string, () => Promise<void>])[] = [
    [`${workspace}/keys`, async () => await page.getByRole('button', { name: 'New key' }).click()],
    [
      `${workspace}/keys`,
      async () =>
        await page
          .getByRole('button', { name: /^Revoke / })
          .first()
          .click(),
    ],
    [`${workspace}/keys`, async () => await page.keyboard.press('?')],
    [`${workspace}/agents`, async () => await page.getByRole('button', { name: /Last / }).click()],
    [`${workspace}/agents`, async () => await page.getByRole('button', { name: /^Account/ }).click()],
    [
      `${workspace}/settings/prices`,
      async () => await page.getByRole('button', { name: 'Add a price' }).first().click(),
    ],
    [`${workspace}/settings/danger`, async () => await page.getByRole('button', { name: /^Delete this/ }).click()],
    ['/account', async () => await page.getByRole('button', { name: 'Delete my account' }).click()],
  ]
  const faults: string[] = []
  const opened = page.locator(overlay).first()
  let shown: string | null = null
  for (const [path, open] of openers) {
    if (path !== shown) await goAndSettle(page, path)
    shown = path
    await open()
    await opened.waitFor()
    faults.push(
      ...(await findViolations(page, themes, { within: overlay })).map((fault) => `${String(open)}: ${fault}`),
    )
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  t.deepEqual(faults, [])
})
