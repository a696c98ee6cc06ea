// Which rows a list shows and which it says are there: pages that are short, rows that come late, and what is beyond the first page.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../_kit/browser.ts'
import { startService, type Tenant } from '../_kit/serve.ts'
import { makeSpan } from '../_kit/spans.ts'
import { openAndSettle } from './_pages.ts'
import { signIn } from './_sign-in.ts'
import { idOf, sendSpans } from './_traces.ts'

const service = await startService()
const browser = await launchBrowser()
test.after.always(async () => {
  await browser.stop()
  await service.stop()
})

const minuteMs = 60_000

async function openPage(t: ExecutionContext): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 } })
  await signIn(page.context(), service.baseUrl, service)
  return page
}

async function send(names: readonly string[], agoMs: number, tenant?: Tenant): Promise<Tenant> {
  const own = tenant ?? (await service.addWorkspace())
  const startMs = Date.now() - agoMs
  const spans = names.map((name, at) => makeSpan({ name, start: startMs - at * 1_000 }))
  await sendSpans(service.baseUrl, own, spans)
  await service.settled()
  return own
}

test('a filter of the agents looks at all of them, not only at those that are loaded', async (t) => {
  const tenant = await service.addWorkspace()
  const nowMs = Date.now()
  const spans = Array.from({ length: 205 }, (_, at) =>
    makeSpan({
      spanId: idOf(at + 1),
      start: nowMs - (at + 1) * 1_000,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': `agent ${at}` },
    }),
  )
  await sendSpans(service.baseUrl, tenant, spans)
  await service.settled()
  const page = await openPage(t)
  await openAndSettle(page, `/w/${tenant.workspaceId}/agents`)
  t.is(await page.getByRole('link', { name: 'agent 204' }).count(), 0, 'it is the last of those that were seen')
  await page.getByRole('searchbox', { name: 'Name' }).fill('agent 204')
  await page.getByRole('link', { name: 'agent 204' }).waitFor()
})

test('the overview of a workspace without data shows the first figures when they have come', async (t) => {
  const tenant = await service.addWorkspace()
  const page = await openPage(t)
  await openAndSettle(page, `/w/${tenant.workspaceId}`)
  await page.getByText('No agent has sent a trace to this workspace yet.').waitFor()
  await send(['first'], minuteMs, tenant)
  await page.keyboard.press('r')
  await page.getByRole('region', { name: 'Top agents' }).waitFor()
  t.is(await page.getByText('No agent has sent a trace to this workspace yet.').count(), 0)
})
