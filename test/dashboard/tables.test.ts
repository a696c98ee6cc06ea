// Tables on a phone: cut content is marked as cut, and the meaning of a column is available without a pointer.
import test, { type ExecutionContext } from 'ava'
import type { Locator, Page } from 'playwright-core'
import { findViolations, themes } from '../_kit/page-checks.ts'
import { isSoak } from '../_kit/soak.ts'
import { makeSpan } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { goAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const workspace = `/w/${service.workspaceId}`
const phone = { width: 360, height: 740 }

test.before(async () => {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
  await sendSpans(service.baseUrl, service, [makeSpan({ name: 'hello', start: Date.now() - 60_000, attributes })])
  await service.settled()
})

async function openPage(t: ExecutionContext, person: Person = service): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: phone, keep: keepApp })
  await signIn(page, service.baseUrl, person)
  return page
}

/** Resolves when the marks follow the position. */
async function scrollTo(page: Page, region: Locator, place: 'begin' | 'end'): Promise<void> {
  await region.evaluate((one, isEnd) => one.scrollTo({ left: isEnd ? one.scrollWidth : 0 }), place === 'end')
  await page.evaluate(`(async () => {
    for (const _ of [1, 2, 3]) await new Promise((turn) => requestAnimationFrame(turn))
  })()`)
}

type Edges = { readonly left: number; readonly right: number }

/** Returns how far the outermost pixels of each side are from the background, from 0 to 255. Lines and text are a small part of them. */
async function readEdges(page: Page, region: Locator): Promise<Edges> {
  const picture = (await region.screenshot()).toString('base64')
  return await page.evaluate<Edges>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture}'
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    pen.drawImage(image, 0, 0)
    const back = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)
    const readFrom = (x) => {
      const { data } = pen.getImageData(x, 0, 2, image.height)
      let sum = 0
      for (let at = 0; at < data.length; at += 4) for (const part of [0, 1, 2]) sum += Math.abs(data[at + part] - back[part])
      return sum / (image.height * 2 * 3)
    }
    return { left: readFrom(0), right: readFrom(image.width - 2) }
  })()`)
}

test.serial(
  'a table that can scroll sideways has a mark at its cut side, in both themes, until it is scrolled to its end',
  async (t) => {
    const page = await openPage(t)
    // Of the three forms of tables, one in both themes: the others have the same marks.
    for (const [list, name, colorSchemes] of [
      ['agents', 'Agents', themes],
      ['traces', 'Traces', isSoak ? themes : (['light'] as const)],
      ['events', 'Events', isSoak ? themes : (['dark'] as const)],
    ] as const) {
      await goAndSettle(page, `${workspace}/${list}`)
      const region = page.getByRole('region', { name, exact: true })
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme })
        await scrollTo(page, region, 'begin')
        const { right: cut, left: begin } = await readEdges(page, region)
        t.true(cut > 2 * begin + 10, `${list}, ${colorScheme}: ${cut} at the cut side, ${begin} at the other one`)
        // By keyboard alone.
        await region.focus()
        await page.keyboard.press('ArrowRight')
        await scrollTo(page, region, 'end')
        const { right: end, left } = await readEdges(page, region)
        t.true(
          left > 2 * end + 10,
          `${list}, ${colorScheme}, scrolled: ${left} at the cut side, ${end} at the other one`,
        )
      }
    }
  },
)

test.serial('a name that is cut off is shown in full on hover', async (t) => {
  const agentName = 'an agent with a name that is longer than its column'
  const owner = await service.signUp()
  await sendSpans(service.baseUrl, owner, [
    makeSpan({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.agent.name': agentName } }),
  ])
  const page = await openPage(t, owner)
  await goAndSettle(page, `/w/${owner.workspaceId}/agents`)
  const name = page.getByRole('rowheader', { name: agentName })
  await name.waitFor()
  t.is(await name.getAttribute('title'), null)
  await name.hover()
  await until(async () => (await name.getAttribute('title')) === agentName)
})

test.serial('a phone shows the name and the status of a trace without scrolling', async (t) => {
  const name = 'invoke_agent research-assistant'
  const owner = await service.signUp()
  await sendSpans(service.baseUrl, owner, [makeSpan({ name, status: { code: 2 } })])
  const page = await openPage(t, owner)
  await goAndSettle(page, `/w/${owner.workspaceId}/traces`)
  const link = page.getByRole('link', { name, exact: true })
  t.true(await link.evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight))
  const status = await page.getByRole('link', { name: '1 failed' }).boundingBox()
  t.true(status !== null && status.x + status.width < phone.width, JSON.stringify(status))
})

test.serial('the meaning of a column can be opened by keyboard and by touch', async (t) => {
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
    await goAndSettle(page, `${workspace}/${path}`)
    const header = page.getByRole('region', { name: table, exact: true }).getByRole('columnheader', { name: column })
    const button = header.getByRole('button')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText(meaning).waitFor()
    if (path === 'agents') t.deepEqual(await findViolations(page, ['light'], { within: '[role=dialog]' }), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button.click()
    await page.getByRole('dialog').getByText(meaning).waitFor()
    await page.keyboard.press('Escape')
  }
  // On the last page, upwards: the bar that stays at the top of the window hides nothing that has the focus.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.locator('main a').last().focus()
  const hidden: string[] = []
  for (let stops = 0; stops < 20; stops += 1) {
    await page.keyboard.press('Shift+Tab')
    hidden.push(...(await page.evaluate<string[]>(findHiddenFocus)))
  }
  t.deepEqual(hidden, [])
})

/** What has the focus, where nothing of it can be seen: by its text. */
const findHiddenFocus = `(() => {
  const one = document.activeElement
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const seen = [top + 1, (top + bottom) / 2, bottom - 1].map((y) => document.elementFromPoint((left + right) / 2, y))
  return seen.some((other) => one.contains(other)) ? [] : [one.tagName + ' ' + one.innerText]
})()`
