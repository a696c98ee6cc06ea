// Ids of digits alone, and those that read as numbers with an exponent: as they are in addresses, requests and pages.

import { gzipSync } from 'node:zlib'
import test from 'ava'
import { launchBrowser } from '../_kit/browser.ts'
import { startService } from '../_kit/serve.ts'
import { encodeRequest, makeResourceSpans, makeSpan } from '../_kit/spans.ts'
import { exportSpans } from '../demo/interface.ts'
import { openAndSettle } from './_pages.ts'
import { signIn } from './_sign-in.ts'

const traceId = '12345678901234567890123456789012'
const digits = '1234567890123456'
const exponent = '662e410000000000'
const session = '12345678901234567890'

const service = await startService()
const browser = await launchBrowser()
test.after.always(async () => {
  await browser.stop()
  await service.stop()
})

const attributes = { 'session.id': session }
const spans = [
  makeSpan({ traceId, spanId: digits, name: 'the root', attributes }),
  makeSpan({ traceId, spanId: exponent, parentSpanId: digits, name: 'the child', attributes }),
]
await exportSpans(service.baseUrl, service.key, gzipSync(encodeRequest([makeResourceSpans({ spans })])))
await service.settled()

test('check 17: ids that look like numbers survive in `?span=` and `session_id`', async (t) => {
  const { page } = await browser.open(t, service.baseUrl)
  await signIn(page.context(), service.baseUrl, service)
  const traces = `/w/${service.workspaceId}/traces`
  for (const [spanId, name] of [
    [digits, 'the root'],
    [exponent, 'the child'],
  ] as const) {
    const address = `${traces}/${traceId}?span=${spanId}`
    await openAndSettle(page, address)
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
  await openAndSettle(page, address)
  await page.locator(`a[href*="${traceId}"]`).first().waitFor()
  t.is(page.url(), service.baseUrl + address)
  t.is(await page.getByLabel('Session').inputValue(), session)
  // Through the page's own links, and back.
  await page.locator(`a[href*="${traceId}"]`).first().click()
  await page.waitForURL(`**${traces}/${traceId}**`)
  t.is(new URL(page.url()).searchParams.get('session_id'), session)
  await page.goBack()
  t.is(page.url(), service.baseUrl + address)
})
