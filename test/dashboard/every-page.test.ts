// What holds for every page: it asks nobody else for anything, complains of nothing, passes axe in both themes, and fits a phone.
import test, { type ExecutionContext } from 'ava'
import { launchBrowser } from '../_kit/browser.ts'
import { startWithFleet } from '../_kit/dashboard.ts'
import { findSidewaysScroll, findViolations } from '../_kit/page-checks.ts'
import { dashboardPages, openAndSettle, type Place } from './_pages.ts'
import { signIn } from './_sign-in.ts'

const service = await startWithFleet(100)
const browser = await launchBrowser()
const stranger = await service.signUp()
const listed = (await service.call('GET', `/v1/workspaces/${service.workspaceId}/traces?limit=1`)).json as {
  items: { trace_id: string }[]
}
const fleet: Place = { workspaceId: service.workspaceId, traceId: listed.items[0]?.trace_id ?? '' }
const empty: Place = { workspaceId: stranger.workspaceId, traceId: null }
const nowhere: Place = { workspaceId: '', traceId: null }

test.after.always(async () => {
  await browser.stop()
  await service.stop()
})

const policy = /default-src 'none'.*require-trusted-types-for 'script'/
const phone = { width: 320, height: 700 }
const desktop = { width: 1_280, height: 800 }

// The two looks of axe differ in theme and width, since one takes half a second. The browser fails a test for complaints and requests of its page by itself: checks 1 and 5.
async function inspect(t: ExecutionContext, path: string, person: typeof stranger | null): Promise<void> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: desktop })
  if (person !== null) await signIn(page.context(), service.baseUrl, person)
  const documents: Promise<string | null>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'document')
      documents.push(response.headerValue('content-security-policy'))
  })
  await openAndSettle(page, path)
  for (const one of await Promise.all(documents)) t.regex(one ?? '', policy)
  t.is(new URL(page.url()).pathname, path.replace(/\?.*/, ''))
  t.is(await page.locator('h1').count(), 1)
  t.deepEqual(await findViolations(page, ['light']), [])
  await page.setViewportSize(phone)
  t.deepEqual(await findSidewaysScroll(page), [])
  t.deepEqual(await findViolations(page, ['dark']), [])
}

for (const { name, path, isOpen } of dashboardPages) {
  const title = (place: string): string => `checks 1, 5, 28 and 31: ${name} ${place}`
  const [withData, withoutData] = [path(fleet), path(empty)]
  if (isOpen) test.serial(title('of a stranger'), async (t) => await inspect(t, path(nowhere) ?? '', null))
  else if (withData !== null) test.serial(title('of a fleet'), async (t) => await inspect(t, withData, service))
  if (!isOpen && withoutData !== null) {
    test.serial(title('of an empty workspace'), async (t) => await inspect(t, withoutData, stranger))
  }
}
