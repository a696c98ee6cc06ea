// The settings of a workspace and of an organization: the page stores what the API then returns, and shows why a change is refused.
// The tests are serial: simultaneous browsers compete for the machine until a step takes too long.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { sendFleet } from '../_kit/dashboard.ts'
import { isSoak } from '../_kit/soak.ts'
import { forget, go, goAndSettle, goAnewAndSettle } from './_pages.ts'
import { joinScene } from './_scene.ts'
import { keepApp, type Person, signIn } from './_sign-in.ts'
import { keepAnswers, readStores } from './_stores.ts'

const { service, browser, stop } = await joinScene(async (own) => await sendFleet(own, 20))
test.after.always(stop)

const refused = /status of (4\d\d)/

async function read<T>(path: string): Promise<T> {
  const { status, json } = await service.call('GET', path)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return json as T
}

const settingsOf = async (workspaceId: string) =>
  await read<Record<string, unknown>>(`/v1/workspaces/${workspaceId}/settings`)

/** Adds a new user who belongs to the organization of the service only. */
async function join(role: string): Promise<Person> {
  const person = {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
  }
  const invite = await service.call('POST', `/v1/orgs/${service.orgId}/invites`, {
    body: { email: person.email, role },
  })
  const { token } = invite.json as { token: string }
  const body = { ...person, invite_token: token }
  const { status } = await service.call('POST', '/v1/auth/signup', { token: null, body })
  if (status !== 201) throw new Error(`signing up by invite answered ${status}`)
  return person
}

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
}
const messageAt = async (page: Page, label: string): Promise<string> => {
  const field = page.getByRole('textbox', { name: label, exact: true })
  await page.locator('[aria-invalid=true]').first().waitFor()
  const described = (await field.getAttribute('aria-describedby')) ?? ''
  const ids = described.split(' ').filter((id) => id.endsWith('-fault'))
  return ids.length === 0 ? '' : await page.locator(`[id="${ids.join()}"]`).innerText()
}

test.serial('settings are stored as they were typed, and an error is shown at its field', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const settings = `/w/${workspaceId}/settings`

  await goAndSettle(page, settings)
  t.is(new URL(page.url()).pathname, `${settings}/general`)
  await page.getByRole('textbox', { name: 'Name' }).fill('   ')
  await save(page)
  t.regex(await messageAt(page, 'Name'), /at least 1 character/)
  await page.getByRole('textbox', { name: 'Name' }).fill('Support, production')
  await save(page)
  await page.getByRole('button', { name: 'Workspace: Support, production' }).waitFor()

  await goAndSettle(page, `${settings}/rules`)
  await page.getByLabel('Wait for a person').check()
  await page.getByRole('textbox', { name: 'Age limit of served results' }).fill('6')
  await page.getByLabel('Unit of the age').selectOption('hours')
  await page.getByRole('textbox', { name: 'Holdout' }).fill('60')
  await page.getByText('600 still run for real').waitFor()
  await save(page)
  t.regex(await messageAt(page, 'Holdout'), /less than or equal to 50 %$/, 'as the field has it')
  // Another user changes another setting meanwhile.
  await service.call('PATCH', `/v1/workspaces/${workspaceId}/settings`, { body: { alpha: 0.01 } })
  await page.getByRole('textbox', { name: 'Holdout' }).fill('2.5')
  await page.getByRole('textbox', { name: 'Floor: share of right results' }).fill('99')
  await save(page)
  const saved = page.getByText('Saved.', { exact: true })
  await saved.waitFor()
  // What is typed now is not saved.
  await page.getByRole('textbox', { name: 'Holdout' }).fill('3')
  t.is(await saved.count(), 0)

  await goAndSettle(page, `${settings}/retention`)
  await page.getByLabel('None', { exact: true }).check()
  await save(page)
  await page.getByText('The setting applies to data that arrives from now on').waitFor()
  await page.getByLabel('For a number of days').check()
  await page.getByRole('textbox', { name: 'Days' }).fill('3')
  const keep = page.getByRole('button', { name: 'Save', exact: true }).last()
  await keep.click()
  await page.getByRole('button', { name: 'Remove older data' }).click()
  t.regex(await messageAt(page, 'Days'), /maximum age of an accepted span/)
  await page.getByRole('textbox', { name: 'Days' }).fill('thirty')
  await keep.click()
  // Not null, which would keep the data forever.
  await page.getByText(/^Input should be a valid/).waitFor()
  await page.getByRole('textbox', { name: 'Days' }).fill('14')
  await keep.click()
  await page.getByText('older than 14 days are removed').waitFor()
  await page.getByRole('button', { name: 'Remove older data' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()

  t.deepEqual(await settingsOf(workspaceId), {
    name: 'Support, production',
    plan: 'self_hosted',
    content_mode: 'none',
    default_freshness_s: 21_600,
    auto_shadow: false,
    holdout_rate: 0.025,
    floor: 0.99,
    alpha: 0.01,
    retention_days: 14,
    plan_retention_days: null,
  })
  await goAnewAndSettle(page, `${settings}/rules`)
  t.is(await page.getByRole('textbox', { name: 'Holdout' }).inputValue(), '2.5')
  t.true(await page.getByLabel('Wait for a person').isChecked())
  t.is(forgive(refused).length, 4)
})

const prices = `/v1/workspaces/${service.workspaceId}/prices`

/** Opens the page of prices with the dialog for a new one. */
async function openNewPrice(t: ExecutionContext) {
  const { page, forgive } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  await goAndSettle(page, `/w/${service.workspaceId}/settings/prices`)
  await page.getByRole('button', { name: 'Add a price' }).first().click()
  return { page, forgive, dialog: page.getByRole('dialog') }
}

test.serial('a price shows what it matches and what it would have cost, before it is stored', async (t) => {
  const { page, forgive, dialog } = await openNewPrice(t)
  await dialog.getByRole('textbox', { name: 'Model' }).fill('GPT-4o-2024*')
  await dialog.getByRole('textbox', { name: 'Input, USD per 1M tokens', exact: true }).fill('100')
  await dialog.getByRole('textbox', { name: 'Output, USD per 1M tokens' }).fill('many')
  await dialog.getByRole('textbox', { name: 'Cached input, USD per 1M tokens' }).fill('0,5')
  await dialog.getByText('It matches 1 of').waitFor()
  await dialog.getByRole('button', { name: 'Save the price' }).click()
  t.regex(await messageAt(page, 'Output, USD per 1M tokens'), /valid number/)
  t.regex(await messageAt(page, 'Cached input, USD per 1M tokens'), /valid number/, 'and not none')

  await dialog.getByRole('textbox', { name: 'Output, USD per 1M tokens' }).fill('0')
  await dialog.getByRole('textbox', { name: 'Cached input, USD per 1M tokens' }).fill('0')
  const { models } = await read<{ models: Record<string, number & string>[] }>(
    `/v1/workspaces/${service.workspaceId}/stats/summary?from_time=${new Date(Date.now() - 7 * 86_400_000).toISOString()}`,
  )
  const model = models.find((one) => one['model'] === 'gpt-4o-2024-08-06')
  const usd = (((model?.['input_tokens'] ?? 0) - (model?.['cached_tokens'] ?? 0)) * 100) / 1e6
  t.true(usd > 0.01)
  const row = dialog.getByRole('row', { name: /gpt-4o-2024-08-06/ })
  t.is(await row.getByRole('cell').nth(2).innerText(), `$${usd.toFixed(usd < 1 ? 4 : 2)}`)

  await dialog.getByRole('button', { name: 'Save the price' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [stored] = await read<Record<string, unknown>[]>(prices)
  t.like(stored, { model: 'GPT-4o-2024*', input_usd_per_m: 100, output_usd_per_m: 0, cached_usd_per_m: 0 })
  await page.getByRole('button', { name: 'Remove the price of GPT-4o-2024*' }).click()
  await page.getByRole('button', { name: 'Remove the price', exact: true }).click()
  await page.getByText('No price is set').waitFor()
  // The button that opened the dialog was removed with its row.
  await page.locator('h1:focus').waitFor()
  t.deepEqual(await read(prices), [])
  t.is(forgive(refused).length, 1)
})

test.serial(
  'if another person has changed the prices meanwhile, the dialog says so, and saving again adds to their list',
  async (t) => {
    const { page, forgive, dialog } = await openNewPrice(t)
    await dialog.getByRole('textbox', { name: 'Model' }).fill('mine')
    for (const name of ['Input', 'Output'])
      await dialog.getByRole('textbox', { name: `${name}, USD per 1M tokens`, exact: true }).fill('1')
    const body = [{ model: 'theirs', input_usd_per_m: 2, output_usd_per_m: 3 }]
    t.is((await service.call('PUT', prices, { body })).status, 200)
    await dialog.getByRole('button', { name: 'Save the price' }).click()
    await dialog.getByText('Somebody has changed the prices').waitFor()
    t.deepEqual(
      (await read<{ model: string }[]>(prices)).map(({ model }) => model),
      ['theirs'],
    )
    await dialog.getByRole('button', { name: 'Save the price' }).click()
    await dialog.waitFor({ state: 'detached' })
    t.deepEqual(
      (await read<{ model: string }[]>(prices)).map(({ model }) => model),
      ['theirs', 'mine'],
    )
    await page.getByRole('button', { name: 'Remove the price of theirs' }).click()
    t.is((await service.call('PUT', prices, { body: [...body, { ...body[0], model: 'later' }] })).status, 200)
    const remove = page.getByRole('button', { name: 'Remove the price', exact: true })
    await remove.click()
    await dialog.getByText('Somebody has changed the prices').waitFor()
    await remove.click()
    await dialog.waitFor({ state: 'detached' })
    t.deepEqual(
      (await read<{ model: string }[]>(prices)).map(({ model }) => model),
      ['later'],
    )

    // The price itself was removed by somebody else.
    const empty = async (): Promise<void> => {
      t.is((await service.call('PUT', prices, { body: [] })).status, 200)
    }
    await page.getByRole('button', { name: 'Edit the price of later' }).click()
    await empty()
    const again = dialog.getByRole('button', { name: 'Save the price' })
    await again.click()
    await dialog.getByText('Another person has removed this price meanwhile; save again to add it').waitFor()
    await again.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove the price of later' }).click()
    await empty()
    await remove.click()
    await dialog.getByText('Another person has already removed this price').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('No price is set').waitFor()
    t.is(forgive(refused).length, 4)
  },
)

test.serial(
  'an owner renames the organization, changes a role and makes a reset link once; a viewer sees why they may not',
  async (t) => {
    const [bea, carl] = [await join('viewer'), await join('viewer')]
    const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
    await signIn(page, service.baseUrl, service)
    await goAndSettle(page, `/o/${service.orgId}/settings`)
    await page.getByLabel('Name').fill('Renamed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByText('Renamed').waitFor()
    const members = `/o/${service.orgId}/settings/members`
    await goAndSettle(page, members)
    await page.getByRole('button', { name: `Change the role of ${bea.email}` }).click()
    await page.getByLabel('admin', { exact: true }).check()
    await page.getByRole('button', { name: 'Make them admin' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const listed = await read<{ email: string; role: string }[]>(`/v1/orgs/${service.orgId}/members`)
    t.is(listed.find(({ email }) => email === bea.email)?.role, 'admin')

    await page.getByRole('button', { name: `Make a reset link for ${carl.email}` }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const shown = page.getByRole('region', { name: 'Reset link' })
    const [link = ''] = /\S+#token=\S+/.exec(await shown.innerText()) ?? []
    t.true((await readStores(page)).includes(link))
    const readAnswers = keepAnswers(page)
    await page.getByRole('button', { name: 'I sent it' }).click()
    await shown.waitFor({ state: 'detached' })
    t.false((await readStores(page)).includes(link))
    t.false((await readAnswers()).some((answer) => answer.includes(link)))

    const viewer = await browser.open(t, service.baseUrl, { keep: keepApp })
    await signIn(viewer.page, service.baseUrl, carl)
    const reasonAt = async (path: string, name: string): Promise<string> => {
      await goAndSettle(viewer.page, path)
      const button = viewer.page.getByRole('button', { name, exact: true }).first()
      return `${(await button.getAttribute('aria-disabled')) ?? ''} ${(await button.getAttribute('title')) ?? ''}`
    }
    const settings = `/w/${service.workspaceId}/settings`
    const buttons = [
      [`${settings}/rules`, 'Save', 'admin'],
      [`${settings}/danger`, 'Delete this workspace', 'admin'],
      [members, `Remove ${service.email}`, 'admin'],
      [members, `Make a reset link for ${bea.email}`, 'owner'],
    ] as const
    const others = [
      [`${settings}/general`, 'Save', 'admin'],
      [`${settings}/prices`, 'Add a price', 'admin'],
      [`/o/${service.orgId}/settings/general`, 'Save', 'admin'],
      [`/o/${service.orgId}/settings/workspaces`, 'New workspace', 'admin'],
    ] as const
    for (const [path, name, role] of [...buttons, ...(isSoak ? others : [])]) {
      t.regex(await reasonAt(path, name), new RegExp(`^true This requires the role ${role}.*yours is viewer`), path)
    }
    await goAndSettle(viewer.page, `${settings}/audit`)
    await viewer.page.getByText(/The audit log says .* This requires the role admin/).waitFor()
    // A user without an organization still has an account.
    await goAndSettle(page, members)
    await page.getByRole('button', { name: `Remove ${bea.email}` }).click()
    await page.getByRole('button', { name: 'Remove the member' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await forget(viewer.page)
    await signIn(viewer.page, service.baseUrl, bea)
    await goAndSettle(viewer.page, '/')
    await viewer.page.getByRole('link', { name: 'Your account' }).click()
    await viewer.page.getByRole('button', { name: 'Workspace: none' }).waitFor()
    t.is(await viewer.page.getByRole('navigation', { name: 'Pages' }).count(), 0)
    t.is(await viewer.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').count(), 1)
  },
)

test.serial('the audit log is filtered by its address and goes on page by page', async (t) => {
  const { workspaceId } = await service.addWorkspace()
  await service.call('PATCH', `/v1/workspaces/${workspaceId}/settings`, { body: { name: 'another name' } })
  // As 59 further changes, which would take a second.
  await service.query(
    `insert into audit_log (id, org_id, audited_workspace_id, actor_user_id, action, target, request_id, ip_prefix, detail)
     select gen_random_uuid(), org_id, audited_workspace_id, actor_user_id, action, target, request_id, ip_prefix, detail
     from audit_log, generate_series(1, 59)
     where audited_workspace_id = $1 and action not in ('workspace.create', 'key.mint')`,
    [workspaceId],
  )
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  await goAndSettle(page, `/w/${workspaceId}/settings/audit`)
  t.is(await page.getByTitle('The time zone of this page').innerText(), 'UTC')
  t.is(
    await page.getByRole('navigation', { name: 'Breadcrumb' }).locator('[aria-current=page]').innerText(),
    'Audit log',
  )
  const rows = page.getByRole('region', { name: /^Audit log/ }).locator('tbody tr')
  t.is(await rows.count(), 50)
  await page.getByRole('button', { name: 'Load older entries' }).click()
  await rows.nth(61).waitFor()
  t.is(await rows.count(), 62, 'with the workspace itself and its key')
  await page.getByLabel('Action').selectOption('Made a key')
  await page.waitForURL(/\?action=key\.mint$/)
  await goAnewAndSettle(page, page.url())
  t.is(await rows.count(), 1)
  t.regex(await rows.first().innerText(), new RegExp(`Made a key.*${service.email}`, 's'))

  // Nobody is called a former member while it is unknown who the members are.
  const held = Promise.withResolvers<void>()
  await page.route(/\/members(\?|$)/, async (route) => {
    await held.promise
    await route.continue()
  })
  await forget(page)
  await go(page, `/w/${workspaceId}/settings/audit?actor=${service.workspaceId}`)
  const chosen = page.getByLabel('Person').locator('option:checked')
  t.is(await chosen.innerText(), 'The chosen person')
  held.resolve()
  await page.getByLabel('Person').locator('option:checked', { hasText: 'Former member' }).waitFor({ state: 'attached' })
})

test.serial('a workspace is made from the switcher, and deleted by its name after its counts were shown', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  await goAndSettle(page, '/account')
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New workspace' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Short-lived')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL(/\/w\/[0-9a-f-]{36}\/start/)
  const [, workspaceId = ''] = /\/w\/([0-9a-f-]{36})\//.exec(page.url()) ?? []

  await service.call('POST', '/v1/keys', { body: { workspace_id: workspaceId, name: 'one' } })
  await goAndSettle(page, `/w/${workspaceId}/settings/danger`)
  await page.getByRole('button', { name: 'Delete this workspace' }).click()
  await page.getByText('0 events, 0 traces, 0 agents, 0 rules, 0 findings, 1 key.').waitFor()
  const last = page.getByRole('button', { name: 'Delete it permanently' })
  await page.getByLabel(/^Type the name/).fill('Short lived')
  t.is(await last.getAttribute('aria-disabled'), 'true')
  await page.getByLabel(/^Type the name/).fill('Short-lived')
  await last.click()
  await page.waitForURL((url) => url.pathname.startsWith('/w/') && !url.pathname.includes(workspaceId))
  await page.getByRole('heading', { level: 1 }).waitFor()
  t.is((await service.call('GET', `/v1/workspaces/${workspaceId}/settings`)).status, 404)
})

test.serial('an admin downloads the events of the workspace, and a member sees who may', async (t) => {
  const { page } = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(page, service.baseUrl, service)
  const settings = `/w/${service.workspaceId}/settings/export`
  await goAndSettle(page, settings)
  await page.getByLabel('Events of the last').selectOption('400')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  t.regex(file.suggestedFilename(), /^events-\d{4}-\d\d-\d\d\.ndjson$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  t.true(lines.length >= 20)
  t.true(lines.every((line) => typeof (JSON.parse(line) as { id: unknown }).id === 'string'))
  const { items } = await read<{ items: { action: string }[] }>(
    `/v1/workspaces/${service.workspaceId}/audit?action=workspace.export`,
  )
  t.is(items.length, 1)

  const member = await browser.open(t, service.baseUrl, { keep: keepApp })
  await signIn(member.page, service.baseUrl, await join('member'))
  await goAndSettle(member.page, settings)
  const refusedButton = member.page.getByRole('button', { name: 'Export', exact: true })
  t.is(await refusedButton.getAttribute('aria-disabled'), 'true')
  await refusedButton.click({ force: true })
  await member.page.locator('span:not(.visually-hidden)', { hasText: /^This requires the role admin/ }).waitFor()
})
