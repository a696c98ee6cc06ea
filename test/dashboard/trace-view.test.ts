// Contents of a trace: unusual trees, tool calls answered in four ways, the messages of instrumentations, and hostile text.
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { PageOptions } from '../_kit/browser.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { exportSpans } from '../demo/interface.ts'
import { encodeAny, moveTo, readRequests } from '../interop/_recording.ts'
import { copiedMs, keepOffers } from './_offers.ts'
import { actAndSettle, goAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'
import { idOf, sendSpans } from './_traces.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

async function openTrace(t: ExecutionContext, path: string, options: PageOptions = { keep: keepApp }): Promise<Page> {
  const { page } = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, ...options })
  await signIn(page, service.baseUrl, service)
  if (options.keep === undefined) await keepOffers(page, copiedMs)
  await goAndSettle(page, `/w/${service.workspaceId}/traces/${path}`)
  return page
}

const grid = (page: Page) => page.getByRole('treegrid', { name: 'Spans' })
const activeRow = (page: Page) => grid(page).locator('[aria-selected=true]')

const levels = 40
const hourMs = 3_600_000

/** Returns a chain of forty levels over three hours; below its root an open span and one that starts too early; beside it an orphan. */
function makeOddTrace(traceId: string) {
  const startMs = Date.now() - 4 * hourMs
  const chain = Array.from({ length: levels }, (_, level) =>
    makeSpan({
      traceId,
      spanId: idOf(level + 1),
      ...(level === 0 ? {} : { parentSpanId: idOf(level) }),
      name: `level ${level}`,
      start: startMs + level * 1_000,
      durationMs: 3 * hourMs - level * 2_000,
    }),
  )
  const child = { traceId, parentSpanId: idOf(1) }
  return [
    ...chain,
    makeSpan({ ...child, spanId: idOf(101), name: 'open span', start: startMs + 5_000, end: 0n }),
    makeSpan({ ...child, spanId: idOf(102), name: 'skewed span', start: startMs - 250, durationMs: 100 }),
    makeSpan({ traceId, spanId: idOf(103), parentSpanId: idOf(999), name: 'orphan', start: startMs + 9_000 }),
  ]
}

test.serial('check 11: every row of an odd trace is reached by keys, named in full and says what is odd', async (t) => {
  const traceId = randomTraceId()
  await sendSpans(service.baseUrl, service, makeOddTrace(traceId))
  const page = await openTrace(t, traceId)
  await grid(page).focus()
  await page.keyboard.press('Home')
  const expected = levels + 4
  const seen = new Map<string, string>()
  for (let at = 0; at < expected; at += 1) {
    let row = { name: '', isWhole: false, text: '' }
    await until(async () => {
      const found = await page.evaluate<typeof row | null>(`(() => {
        const row = document.querySelector('[role=row][aria-rowindex="${at + 2}"][aria-selected=true]')
        const texts = [...(row?.querySelectorAll('[role=gridcell]:first-child > [title]') ?? [])]
        const text = texts.find((one) => one.innerText === one.title)
        if (text === undefined) return null
        return { name: text.innerText, isWhole: text.scrollWidth <= text.clientWidth + 1, text: row.innerText }
      })()`)
      row = found ?? row
      return found !== null
    })
    const { name, isWhole, text } = row
    if (/^(level|open|skewed|orphan)/.test(name)) t.true(isWhole, `${name} is cut off`)
    seen.set(name, text)
    await page.keyboard.press('ArrowDown')
  }
  const names = [...seen.keys()]
  for (let level = 0; level < levels; level += 1) t.true(names.includes(`level ${level}`), `level ${level}`)
  t.regex(seen.get('open span') ?? '', /End unknown/)
  t.regex(seen.get('open span') ?? '', /open$/m)
  t.regex(seen.get('skewed span') ?? '', /Starts 250 ms before its parent/)
  t.regex(seen.get('level 39') ?? '', /^39$/m)
  t.true(names.includes(`Parent ${idOf(999)} not received`), names.join())
  // Three hours end where the lane ends.
  const beyond = await page.evaluate<number>(`(() => {
    const bars = [...document.querySelectorAll('[role=treegrid] [data-kind][style*=width]')]
    const isBeyond = (bar) => bar.getBoundingClientRect().right > bar.parentElement.getBoundingClientRect().right + 3
    return bars.filter(isBeyond).length
  })()`)
  t.is(beyond, 0)
})

test.serial('check 13: four ways in which a tool call is answered differ in words and in form', async (t) => {
  const traceId = randomTraceId()
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' }
  const call = (number: number, name: string, attributes: Record<string, boolean>, code = 0) =>
    makeSpan({
      traceId,
      spanId: idOf(number),
      parentSpanId: idOf(1),
      name,
      start: Date.now() - 60_000 + number * 100,
      durationMs: 80,
      attributes: { ...tool, ...attributes },
      status: { code },
    })
  await sendSpans(service.baseUrl, service, [
    makeSpan({ traceId, spanId: idOf(1), name: 'root', start: Date.now() - 60_000, durationMs: 900 }),
    call(2, 'a real call', {}),
    call(3, 'a served call', { 'tracewright.tool.served': true }),
    call(4, 'a held-out call', { 'tracewright.holdout': true }),
    call(5, 'a failed call', {}, 2),
  ])
  const page = await openTrace(t, traceId)
  const marks: Record<string, string> = {}
  const forms = new Set<string>()
  for (const [name, mark] of [
    ['a real call', 'real'],
    ['a served call', 'served'],
    ['a held-out call', 'holdout'],
    ['a failed call', 'error'],
  ] as const) {
    const row = grid(page).getByRole('row').filter({ hasText: name })
    await row.getByText(name, { exact: true }).click()
    marks[name] = await page
      .getByRole('complementary', { name: `Span ${name}` })
      .locator('[data-mark]')
      .first()
      .innerText()
    t.is(marks[name], mark)
    if (mark !== 'real') t.regex(await row.innerText(), new RegExp(`^${mark}$`, 'm'))
    // What distinguishes a bar without colours: its outline, its fill, what is drawn into it; and the word beside the name.
    forms.add(
      await page.evaluate<string>(`(() => {
        const row = document.getElementById('${await row.getAttribute('id')}')
        const bar = getComputedStyle(row.querySelector('[data-kind][style*=width]'))
        const word = row.querySelector('[data-mark]')
        const isFilled = bar.backgroundColor !== 'rgba(0, 0, 0, 0)'
        return [bar.borderTopStyle, isFilled, bar.boxShadow !== 'none', word && word.innerText].join()
      })()`),
    )
  }
  t.is(forms.size, 4, [...forms].join(' | '))
})

const dialects = [
  'crewai_oi',
  'google_adk',
  'langfuse_v3',
  'langsmith_otel',
  'logfire_openai',
  'mlflow_otlp',
  'oi_openai_agents',
  'openlit_all',
  'pydantic_logfire',
  'strands_otel',
  'tl_openai',
] as const

type Message = { role: string; parts: { type: string; name?: string; text?: string }[] }
type Detail = { id: string; trace_id: string; input_messages?: Message[]; output_messages?: Message[] }

/** Returns the call of a recording whose messages contain a tool call. */
async function findToolRequest(workspaceId: string): Promise<Detail | null> {
  const read = async (path: string) => (await service.call('GET', `/v1/workspaces/${workspaceId}/${path}`)).json
  const { items } = (await read('events?kind=llm&limit=200')) as { items: { id: string }[] }
  for (const { id } of items) {
    const detail = (await read(`events/${id}`)) as Detail
    if ((detail.output_messages ?? []).some(({ parts }) => parts.some(({ type }) => type === 'tool_call')))
      return detail
  }
  return null
}

test.serial('a link to a span that the trace does not have says so, and opens no other one', async (t) => {
  const traceId = randomTraceId()
  await sendSpans(service.baseUrl, service, [makeSpan({ traceId, spanId: idOf(1), name: 'root' })])
  const page = await openTrace(t, `${traceId}?span=${idOf(2)}`)
  await grid(page).getByText('root', { exact: true }).waitFor()
  await page.getByText(`This trace has no span ${idOf(2)}.`).waitFor()
  t.is(await page.getByRole('complementary', { name: /^Span/ }).count(), 0)
  await grid(page).getByText('root', { exact: true }).click()
  await page.getByRole('complementary', { name: 'Span root' }).waitFor()
  t.is(await page.getByText('This trace has no span').count(), 0)
})

test.serial(
  'the copied link and the button of the errors open the span, which links to similar failures',
  async (t) => {
    const traceId = randomTraceId()
    const status = { code: 2, message: 'no answer' }
    const failed = { traceId, spanId: idOf(2), parentSpanId: idOf(1), name: 'failed', status }
    await sendSpans(service.baseUrl, service, [makeSpan({ traceId, spanId: idOf(1), name: 'root' }), makeSpan(failed)])
    const page = await openTrace(t, `${traceId}?range=7d`, {})
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Next error (1)' }).click()
    await page.getByRole('complementary', { name: 'Span failed' }).waitFor()
    await page.getByText('link', { exact: true }).click()
    await page.getByText('Copied').waitFor()
    const path = `/w/${service.workspaceId}/traces/${traceId}?span=${idOf(2)}`
    t.is(await page.evaluate('navigator.clipboard.readText()'), service.baseUrl + path)
    await page.getByRole('link', { name: 'Similar failures' }).click()
    const row = page.getByRole('region', { name: 'Events' }).getByRole('row', { name: /failed/ })
    await row.getByRole('cell', { name: 'no answer' }).waitFor()
  },
)

/** Of different conventions; that each dialect is read is proven by the tests of ingest. The soak shows all. */
const shownDialects: readonly (typeof dialects)[number][] = isSoak
  ? dialects
  : ['langsmith_otel', 'oi_openai_agents', 'pydantic_logfire', 'tl_openai']

test.serial('check 12: the messages and tool calls of recorded instrumentations are shown', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const details: (Detail & { readonly workspaceId: string })[] = []
  for (const dialect of shownDialects) {
    const { workspaceId, key } = await service.addWorkspace()
    const requests = readRequests(dialect)
    moveTo(requests, BigInt(Date.now() - 1_000) * 1_000_000n)
    for (const request of requests) await exportSpans(service.baseUrl, key, gzipSync(encodeAny(request)))
    const detail = await findToolRequest(workspaceId)
    if (detail !== null) details.push({ ...detail, workspaceId })
  }
  t.true(details.length >= inSoak(4, 10))
  for (const detail of details) {
    await goAndSettle(page, `/w/${detail.workspaceId}/traces/${detail.trace_id}?span=${detail.id.slice(33)}`)
    const panel = page.getByRole('tabpanel', { name: 'Messages' })
    for (const { parts } of detail.output_messages ?? []) {
      for (const { type, name = '', text = '' } of parts) {
        if (type === 'tool_call') await panel.getByText(`Calls ${name}`).first().waitFor()
        const [line = ''] = text.split('\n')
        if (type === 'text' && /^[\w ,]+$/.test(line)) await panel.getByText(line).first().waitFor()
      }
    }
    const asked = (detail.input_messages ?? []).findLast(({ role }) => role === 'user')?.role
    if (asked !== undefined) await panel.locator('[data-role=user]').first().waitFor()
  }
})

const hostile = [
  '<img src="http://elsewhere.example/p.png" onerror="globalThis.pwned = 1">',
  '<script>globalThis.pwned = 2</script>',
  '[a link](javascript:globalThis.pwned=3)',
  '![an image](http://elsewhere.example/q.png)',
  '[a page](http://elsewhere.example/page)',
  '[the source][s], ![a chart][s]',
  '[s]: http://elsewhere.example/source',
].join('\n\n')

test.serial('check 12: markup, scripts and images of a prompt are text, and links show where they lead', async (t) => {
  const traceId = randomTraceId()
  const nested = '1. '.repeat(2_000)
  const parts = [hostile, nested].map((content) => ({ type: 'text', content }))
  const messages = [{ role: 'user', parts }]
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) }
  await sendSpans(service.baseUrl, service, [makeSpan({ traceId, spanId: idOf(1), name: '<b>bold</b>', attributes })])
  const page = await openTrace(t, `${traceId}?span=${idOf(1)}`)
  const panel = page.getByRole('tabpanel', { name: 'Messages' })
  await panel.getByText('onerror=').waitFor()
  await panel.getByRole('link', { name: 'http://elsewhere.example/page' }).waitFor()
  t.true((await panel.innerText()).includes('[the source][s], [image a chart, see [s]]'))
  t.true((await panel.innerText()).includes('[s]: http://elsewhere.example/source'))
  t.is(await panel.locator('ol ol ol').count(), 0, 'a text of list marks would be lists in lists, which take minutes')
  await activeRow(page).getByText('<b>bold</b>').waitFor()
  t.is(await page.evaluate('globalThis.pwned'), undefined)
  t.is(await panel.locator('img, script, iframe').count(), 0)
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[role=tabpanel] a')].map((link) => link.href + ' ' + link.rel)",
  )
  t.true(links.length > 0)
  for (const link of links) t.regex(link, /^http:\/\/elsewhere\.example\/\S* noreferrer$/)
})

/** JavaScript of the page: timers of this duration that are set from now on run when `runHeld` is called. */
const holdTimers = (ms: number): string => `(() => {
  const [wait, stop] = [globalThis.setTimeout, globalThis.clearTimeout]
  const held = new Map()
  globalThis.setTimeout = (run, waitMs, ...more) => {
    if (waitMs !== ${ms}) return wait(run, waitMs, ...more)
    const id = -1 - held.size
    held.set(id, run)
    return id
  }
  globalThis.clearTimeout = (id) => held.delete(id) || stop(id)
  globalThis.runHeld = () => {
    for (const run of held.values()) run()
  }
})()`

test.serial(
  'a panel that is closed right after a step stays closed, and input during a change of the URL is kept',
  async (t) => {
    const traceId = randomTraceId()
    await sendSpans(service.baseUrl, service, [
      makeSpan({ traceId, spanId: idOf(1), name: 'first' }),
      makeSpan({ traceId, spanId: idOf(2), parentSpanId: idOf(1), name: 'second' }),
    ])
    const page = await openTrace(t, `${traceId}?span=${idOf(1)}`, {})
    await page.getByRole('complementary', { name: 'Span first' }).waitFor()
    await grid(page).focus()
    await page.evaluate(holdTimers(120))
    await page.keyboard.press('j')
    await activeRow(page).getByText('second').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: /^Span/ }).waitFor({ state: 'detached' })
    await actAndSettle(page, async () => await page.evaluate('runHeld()'))
    t.is(new URL(page.url()).searchParams.get('span'), null)

    await page.evaluate(holdTimers(300))
    const find = page.getByRole('searchbox', { name: 'Find in this trace' })
    await find.fill('sec')
    await page.evaluate(`(() => {
    runHeld()
    const field = document.querySelector('[aria-label="Find in this trace"]')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'secon')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
    await page.waitForURL(/#find=sec$/)
    await actAndSettle(page, async () => await page.evaluate('1'))
    t.is(await find.inputValue(), 'secon')
    await page.evaluate('runHeld()')
    await page.waitForURL(/#find=secon$/)
  },
)
