// Tables on a phone: what a column means is told to people without a pointer.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../_kit/browser.ts'
import { findViolations } from '../_kit/page-checks.ts'
import { startService } from '../_kit/serve.ts'
import { makeSpan } from '../_kit/spans.ts'
import { openAndSettle } from './_pages.ts'
import { signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const service = await startService()
const browser = await launchBrowser()
test.after.always(async () => {
  await browser.stop()
  await service.stop()
})

const workspace = `/w/${service.workspaceId}`
const phone = { width: 360, height: 740 }

test.before(async () => {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
  await sendSpans(service.baseUrl, service, [makeSpan({ name: 'hello', start: Date.now() - 60_000, attributes })])
  await service.settled()
})

async function openPage(t: ExecutionContext): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: phone })
  await signIn(page.context(), service.baseUrl, service)
  return page
}

test('what a column means is told by the keyboard and by touch', async (t) => {
  const page = await openPage(t)
  for (const [path, table, column, meaning] of [
    ['agents', 'Agents', 'Served', 'Tool calls that a stored result answered'],
    [
      'telemetry',
      'Instrumentations',
      'Kind other',
      'Spans that are not known to be calls of a model, a tool or an agent',
    ],
    ['', 'Top models', 'Share', 'Of the events'],
  ] as const) {
    await openAndSettle(page, `${workspace}/${path}`)
    const header = page.getByRole('region', { name: table, exact: true }).getByRole('columnheader', { name: column })
    const button = header.getByRole('button')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText(meaning).waitFor()
    if (path === 'agents') t.deepEqual(await findViolations(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button.click()
    await page.getByRole('dialog').getByText(meaning).waitFor()
    await page.keyboard.press('Escape')
  }
  t.pass()
})
