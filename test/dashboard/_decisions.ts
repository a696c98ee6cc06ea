// Rules in every state for the tests of their pages, measured by the gate on executions that are stored here.
import type { ExecutionContext } from 'ava'
import type { TestBrowser, WatchedPage } from '../_kit/browser.ts'
import { openTestPool } from '../_kit/db.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { gate, makeDecision, makeEvery, serveSince, store } from '../decisions/_gated.ts'
import { goAndSettle } from './_pages.ts'
import type { Service } from './_scene.ts'
import { keepApp, signIn } from './_sign-in.ts'

export type Decision = {
  readonly id: string
  readonly state: string
  readonly cost_delta_usd: number | null
  readonly latency_delta_ms: number | null
  readonly score: Readonly<Record<string, number | boolean | null>> | null
}
export type Transition = {
  readonly id: string
  readonly to_state: string
  readonly actor: string
  readonly user_id: string | null
  readonly reason: string | null
  readonly at: string
}

export type Stage = {
  readonly read: <T>(decisionId: string, path?: string) => Promise<T>
  readonly move: (decisionId: string, to: string, more?: object, person?: Tenant) => Promise<number>
  readonly propose: (toolName: string) => Promise<string>
  /** Active and proven. */
  readonly makeProven: (toolName: string) => Promise<string>
  /** In shadow, with wrong trials. */
  readonly makeDoubtful: (toolName: string) => Promise<string>
  /** Adds another user of the organization. */
  readonly addPerson: (role: 'viewer' | 'member') => Promise<Tenant>
  readonly open: (
    t: ExecutionContext,
    browser: Pick<TestBrowser, 'open'>,
    path: string,
    person?: Tenant,
  ) => Promise<WatchedPage>
  readonly stop: () => Promise<void>
}

const dayMs = 86_400_000
const everyMs = 2_000

export async function openStage(service: Service): Promise<Stage> {
  const { workspaceId, query } = service
  const db = openTestPool(service.databaseUrl, { maxConnections: 2 })
  const world = { db, query }
  const workspace = `/v1/workspaces/${workspaceId}`
  // The optimization loop runs some time after the start and after each ingest: with this setting, proposals stay proposed then.
  const set = await service.call('PATCH', `${workspace}/settings`, { body: { auto_shadow: false } })
  if ((set.json as { auto_shadow?: boolean }).auto_shadow !== false) throw new Error(`the settings are ${set.text}`)

  async function measure(toolName: string, count: number, contentOf: (at: number) => string): Promise<string> {
    const config = { tool_name: toolName, agent_id: null }
    const subject = await makeDecision(world, { workspaceId, config })
    const fromMs = Date.now() - dayMs
    await query('update decisions set shadow_at = $2 where id = $1', [subject.decisionId, new Date(fromMs)])
    const executions = makeEvery(everyMs, count, fromMs, (at) => ({
      tool: toolName,
      inputHash: `${toolName} ${at % 2}`,
      contentHash: contentOf(at),
      providedCostUsd: 0.01,
    }))
    await store(world, subject, executions)
    await gate(world, subject, Date.now())
    if ((await read<Decision>(subject.decisionId)).state === 'active') {
      await serveSince(world, subject, fromMs + count * everyMs)
      await gate(world, subject, Date.now())
    }
    return subject.decisionId
  }

  const read = async <T>(decisionId: string, path = ''): Promise<T> => {
    const { status, json } = await service.call('GET', `${workspace}/decisions/${decisionId}${path}`)
    if (status !== 200) throw new Error(`reading a decision answered ${status}`)
    return json as T
  }

  return {
    read,
    move: async (decisionId, to, more = {}, person) => {
      const path = `${workspace}/decisions/${decisionId}/transitions`
      const token = person?.accessToken ?? (await service.token())
      return (await service.call('POST', path, { token, body: { to, ...more } })).status
    },
    propose: async (toolName) => {
      const body = { type: 'reuse_identity', tool_name: toolName }
      return ((await service.call('POST', `${workspace}/decisions`, { body })).json as { id: string }).id
    },
    makeProven: async (toolName) => await measure(toolName, 700, () => 'same'),
    makeDoubtful: async (toolName) => await measure(toolName, 300, (at) => (at % 50 === 49 ? 'other' : 'same')),
    addPerson: async (role) => {
      const person = await service.signUp()
      await query('insert into memberships (org_id, user_id, role) select $1, id, $3 from users where email = $2', [
        service.orgId,
        person.email,
        role,
      ])
      return person
    },
    open: async (t, browser, path, person = service) => {
      const watched = await browser.open(t, service.baseUrl, { keep: keepApp })
      const { page } = watched
      await signIn(page, service.baseUrl, person)
      await goAndSettle(page, `/w/${workspaceId}/decisions${path}`)
      return watched
    },
    stop: async () => await db.stop(),
  }
}
