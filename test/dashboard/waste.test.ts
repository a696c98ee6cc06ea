// Findings, savings and telemetry health: keyboard operation, the sign of a loss, and the content of empty pages.
import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { formatSignedUsd } from '../../dashboard/src/format/index.ts'
import { describeAsCurl } from '../../dashboard/src/list/as-curl.ts'
import type { PageOptions, WatchedPage } from '../_kit/browser.ts'
import { type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { findViolations } from '../_kit/page-checks.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeResourceSpans, makeSpan } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { addDecision } from '../_kit/workspace.ts'
import { exportSpans } from '../demo/interface.ts'
import { keepOffers } from './_offers.ts'
import { actAndSettle, goAndSettle, goAnewAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'

const { service, browser, stop } = await joinScene()
test.after.always(stop)

const minuteMs = 60_000
const dayMs = 86_400_000
/** How long the page offers to undo a change. */
const undoMs = 5_000

type Seed = {
  readonly title: string
  readonly severity: string
  readonly usd: number | null
  readonly subject?: string
}

async function insert(workspaceId: string, seed: Seed, status = 'open'): Promise<string> {
  const id = randomUUID()
  const evidence = { trace_ids: [hexId(77, 32)], price: { basis: 'the cost of each call', seen_usd: seed.usd } }
  await service.query(
    `insert into findings (id, workspace_id, type, subject, severity, status, title, detail, tool_name, occurrences, est_monthly_cost_usd,
       evidence, first_seen, last_seen)
     values ($1, $2, 'slow_tool', $3, $4, $5, $6, 'It is slow.', 'search', 3, $7, $8, now() - interval '1 hour', now())`,
    [id, workspaceId, seed.subject ?? id, seed.severity, status, seed.title, seed.usd, JSON.stringify(evidence)],
  )
  return id
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await service.query<{ status: string }>('select status from findings where id = $1', [id]))[0]?.status

const untilStatus = async (status: string, ...ids: readonly string[]): Promise<void> =>
  await until(async () => (await Promise.all(ids.map(statusOf))).every((one) => one === status))

async function open(
  t: ExecutionContext,
  person: Person,
  path: string,
  options: PageOptions = { keep: keepApp },
): Promise<WatchedPage> {
  const watched = await browser.open(t, service.baseUrl, { viewport: { width: 1_280, height: 800 }, ...options })
  await signIn(watched.page, service.baseUrl, person)
  if (options.keep === undefined) await keepOffers(watched.page, undoMs)
  await goAndSettle(watched.page, path)
  return watched
}

const listTitles = async (page: Page): Promise<string[]> => await page.locator('tbody th a').allInnerTexts()
const untilTitles = async (page: Page, ...titles: readonly string[]): Promise<void> =>
  await until(async () => (await listTitles(page)).join() === titles.join())
const focused = async (page: Page): Promise<string> => await page.locator(':focus').innerText()
const shownFinding = (page: Page): string | null => new URL(page.url()).searchParams.get('finding')

test.serial('findings can be processed by keyboard alone, and each step can be undone', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const untold = await insert(workspaceId, { title: 'untold', severity: 'critical', usd: null })
  const warning = await insert(workspaceId, { title: 'warning', severity: 'warning', usd: 5 })
  const info = await insert(workspaceId, { title: 'info', severity: 'info', usd: 5 })
  const dear = await insert(workspaceId, { title: 'dear', severity: 'info', usd: 50 })
  const { page } = await open(t, service, `/w/${workspaceId}/findings`, {})
  t.deepEqual(await listTitles(page), ['dear', 'warning', 'info', 'untold'], 'the dearest first, then the most severe')
  const note = page.getByText('The rules of all attested tools')
  t.regex((await note.getByRole('link').getAttribute('href')) ?? '', /\/decisions/)
  await until(async () => (await page.title()) === '(4) Findings · Tracewright')

  // Two are selected and acknowledged: they disappear at once, and the focus moves to a remaining one.
  for (const key of ['j', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await page.getByText('2 selected').waitFor()
  t.deepEqual(await findViolations(page, ['light']), [])
  // A change does not wait for the counts that follow the one before.
  const counts = Promise.withResolvers<void>()
  await page.route(/\/findings\/summary/, async (route) => {
    await counts.promise
    // The page may have aborted it meanwhile.
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.press('a')
  await untilTitles(page, 'dear', 'untold')
  await page.getByText('2 findings acknowledged.').waitFor()
  await until(async () => (await focused(page)) === 'untold')
  await untilStatus('acknowledged', warning, info)
  const asked = page.waitForRequest(/\/findings\/summary/)
  await page.keyboard.press('z')
  await untilTitles(page, 'dear', 'warning', 'info', 'untold')
  await untilStatus('open', warning, info)
  await asked
  counts.resolve()
  await page.unroute(/\/findings\/summary/)

  // In the panel, J moves on; a resolved finding is replaced by the next one.
  await page.locator('tbody th a').first().focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await panel.getByText('$50.00 a month').waitFor()
  t.is(shownFinding(page), dear)
  await panel.locator(`a[href*="/traces/${hexId(77, 32)}"]`).waitFor()
  await page.keyboard.press('j')
  await panel.getByRole('heading', { name: 'warning' }).waitFor()
  await page.keyboard.press('r')
  await panel.getByRole('heading', { name: 'info' }).waitFor()
  await untilTitles(page, 'dear', 'info', 'untold')
  t.is(shownFinding(page), info)
  await untilStatus('resolved', warning)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await untilTitles(page, 'dear', 'warning', 'info', 'untold')
  await until(async () => (await focused(page)) === 'warning')
  await untilStatus('open', warning)
  t.is(await statusOf(untold), 'open')

  // The panel is part of the address, and Escape closes it.
  await page.reload({ waitUntil: 'networkidle' })
  await panel.getByRole('heading', { name: 'info' }).waitFor()
  t.deepEqual(await findViolations(page, ['dark'], { within: 'aside' }), [])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  t.is(shownFinding(page), null)
})

test.serial('a status key acts on what was selected by the mouse, while its checkbox has the focus', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const clicked = await insert(workspaceId, { title: 'clicked', severity: 'info', usd: 1 })
  const { page } = await open(t, service, `/w/${workspaceId}/findings`)
  await page.getByRole('row').filter({ hasText: 'clicked' }).getByRole('checkbox').click()
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press(' ')
  await page.getByText('1 selected').waitFor({ state: 'detached' })
  await page.keyboard.press(' ')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('a')
  await untilStatus('acknowledged', clicked)
  t.is(await statusOf(clicked), 'acknowledged')
})

test.serial('a change that the service refuses is reverted, with the reason', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const seed = { title: 'seen again', severity: 'info', usd: 1, subject: 'search' }
  const resolved = await insert(workspaceId, seed, 'resolved')
  await insert(workspaceId, seed)
  const { page, forgive } = await open(t, service, `/w/${workspaceId}/findings?status=resolved`)
  await page.locator('tbody th a').first().focus()
  await page.keyboard.press('o')
  await page.getByRole('alert').getByText('a newer finding describes it').waitFor()
  await untilTitles(page, 'seen again')
  t.is(await statusOf(resolved), 'resolved')
  forgive(/409/)
})

async function addViewer(): Promise<Person> {
  const person = {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
  }
  const invite = await service.call('POST', `/v1/orgs/${service.orgId}/invites`, {
    body: { email: person.email, role: 'viewer' },
  })
  const { token } = invite.json as { token: string }
  await service.call('POST', '/v1/auth/signup', { token: null, body: { ...person, invite_token: token } })
  return person
}

test.serial('a viewer sees all findings, and the reason why they cannot change them', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const id = await insert(workspaceId, { title: 'one', severity: 'info', usd: 1 })
  const { page } = await open(t, await addViewer(), `/w/${workspaceId}/findings?finding=${id}`)
  const resolve = page.getByRole('button', { name: /^Resolve/ })
  await resolve.waitFor()
  t.is(await resolve.getAttribute('aria-disabled'), 'true')
  t.regex((await resolve.getAttribute('title')) ?? '', /requires the role member or above, and yours is viewer/)
  await page.locator('tbody th a').first().focus()
  await actAndSettle(page, async () => {
    await page.keyboard.press('r')
    await page.keyboard.press('j')
  })
  t.deepEqual(await listTitles(page), ['one'])
  t.is(await statusOf(id), 'open')
})

/** Returns calls of a tool, each followed by a model call that has the result in its prompt and saved `cachedUsd` by caching. */
function makeCalls(
  rule: string,
  of: { served: boolean; costUsd: number; cachedUsd: number },
  count: number,
): EventSeed[] {
  return Array.from({ length: count }, (_, nth) => {
    const trace = randomBytes(16).toString('hex')
    const start = (afterMs: number): string => new Date(Date.now() - (20 - nth) * minuteMs + afterMs).toISOString()
    const tool = { kind: 'tool', tool: 'search', inputHash: `hash of ${rule}`, callId: trace } as const
    const { served, costUsd } = of
    return [
      {
        ...tool,
        start: start(0),
        trace,
        span: hexId(1, 16),
        served,
        ...(served ? { decisionId: rule } : { providedCostUsd: costUsd }),
        durationUs: served ? 1_000 : 300_000,
      },
      {
        start: start(1_000),
        trace,
        span: hexId(2, 16),
        model: 'gpt-4.1',
        input: 1_000,
        savingsUsd: of.cachedUsd,
        consumed: [trace],
      },
    ]
  }).flat()
}

type Savings = { net_usd: number; decisions: { decision_id: string; net_usd: number }[] }

test.serial(
  'check 36: a rule that loses money stands first, with its sign, in the overview, in savings and on its page',
  async (t) => {
    await service.query('update workspaces set approves_decisions = true where id = $1', [service.workspaceId])
    const [losing, saving] = [
      await addDecision(service.query, service.workspaceId, {}),
      await addDecision(service.query, service.workspaceId, {}),
    ]
    await storeEvents(service.query, service.workspaceId, [
      ...makeCalls(losing, { served: false, costUsd: 0.001, cachedUsd: 0.5 }, 6),
      ...makeCalls(losing, { served: true, costUsd: 0, cachedUsd: 0 }, 6),
      ...makeCalls(saving, { served: false, costUsd: 0.25, cachedUsd: 0 }, 6),
      ...makeCalls(saving, { served: true, costUsd: 0, cachedUsd: 0 }, 6),
    ])
    const path = `/v1/workspaces/${service.workspaceId}/stats/savings`
    const { net_usd: net, decisions } = (await service.call('GET', path)).json as Savings
    const netOf = (id: string): string =>
      formatSignedUsd(decisions.find((one) => one.decision_id === id)?.net_usd ?? null)
    t.regex(netOf(losing), /^−\$2\.99/)
    t.regex(netOf(saving), /^\+\$1\.50/)

    const { page } = await open(t, service, `/w/${service.workspaceId}/savings`)
    const table = page.getByRole('region', { name: /^Rules/ })
    const rows = await table.locator('tbody tr').allInnerTexts()
    t.is(rows.length, 2)
    t.true(rows[0]?.includes(`${netOf(losing)} lost`), rows[0])
    t.true(rows[1]?.includes(`${netOf(saving)} saved`), rows[1])
    const equation = await page.locator('dl').first().innerText()
    t.true(equation.includes(formatSignedUsd(net)), equation)
    t.regex(equation, /Lost\. Negative if/)
    t.regex(await page.locator('figcaption').innerText(), /Net: −\$\d/)
    t.deepEqual(await findViolations(page, ['light'], { rules: 'appearance' }), [])

    await goAndSettle(page, `/w/${service.workspaceId}`)
    const notice = page.getByText('costs more than it saves').first()
    t.true((await notice.innerText()).includes(netOf(losing)))
    t.true((await page.getByRole('main').innerText()).includes(formatSignedUsd(net)))
    await notice.getByRole('link', { name: 'See savings' }).click()
    await page.waitForURL(/\/savings/)

    // The page of a rule reports its total savings since it was made.
    await service.query(`update decisions set created_at = now() - interval '1 day' where id = any ($1)`, [
      [losing, saving],
    ])
    await goAnewAndSettle(page, `/w/${service.workspaceId}/decisions/${losing}`)
    await page.getByText(`Net since it was proposed: ${netOf(losing)}, lost. It costs more than it saves.`).waitFor()
    const text = await page.getByRole('main').innerText()
    const firstFigure = text.search(/[+−]?\$\d/)
    t.true(text.startsWith(netOf(losing), firstFigure), text.slice(firstFigure))
    t.deepEqual(await findViolations(page, ['dark'], { rules: 'appearance' }), [])
    await goAndSettle(page, `/w/${service.workspaceId}/decisions/${saving}`)
    await page.getByText(`Net since it was proposed: ${netOf(saving)}, saved.`, { exact: true }).waitFor()
  },
)

const pagesHere = ['findings', 'savings', 'telemetry'] as const

test.serial('check 24: never any data, not reached yet, none in the window, and filtered away', async (t) => {
  const tenant: Tenant = await service.addWorkspace()
  const base = `/w/${tenant.workspaceId}`
  const { page } = await open(t, service, `${base}/findings`)
  for (const name of pagesHere) {
    await goAndSettle(page, `${base}/${name}`)
    await page.getByText('No span has been stored in this workspace yet.').waitFor()
    await page.getByRole('link', { name: 'Send the first trace' }).click()
    await page.waitForURL(`**${base}/start**`)
  }

  const scope = { name: 'a-framework', version: '1.0' }
  const spans = [makeSpan({ start: Date.now() - 3 * dayMs, name: 'something', attributes: { color: 'red' } })]
  await exportSpans(service.baseUrl, tenant.key, gzipSync(encodeRequest([makeResourceSpans({ spans, scope })])))
  await goAnewAndSettle(page, `${base}/telemetry?range=1h`)
  await page.getByText('The newest data is 3 days old.').waitFor()
  await page.getByRole('button', { name: 'Show the newest hour' }).click()
  await page.getByRole('rowheader', { name: /a-framework/ }).waitFor()
  await page.getByText('not understood', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'A dialect that is not understood' }).waitFor()

  await goAndSettle(page, `${base}/savings`)
  await page.getByText('There is no rule yet.').waitFor()
  t.true(await page.getByText('attest: true').isVisible())

  await goAndSettle(page, `${base}/findings`)
  await page.getByText('Nothing has been found yet.').waitFor()
  await insert(tenant.workspaceId, { title: 'one', severity: 'info', usd: 1 })
  await goAnewAndSettle(page, `${base}/findings?severity=critical`)
  await page.getByText('No finding matches the filters.').waitFor()
  await page.getByRole('button', { name: 'As API' }).click()
  t.is(
    await page.getByRole('dialog').locator('pre').innerText(),
    describeAsCurl(service.baseUrl, tenant.workspaceId, 'findings', {
      severity: 'critical',
      status: 'open',
      order_by: 'est_monthly_cost_usd',
    }),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('main').locator('[class*=empty]').getByRole('button', { name: 'Clear filters' }).click()
  await untilTitles(page, 'one')
  t.is(new URL(page.url()).search, '')
})
