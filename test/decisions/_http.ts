// Decisions over HTTP, with the accounts of the users who call it; and the notices that were published after commits.
import { makeDecisionRoutes } from '../../src/decisions/routes.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Answer, openHttp } from '../_kit/http.ts'
import { openPeople, type People, type Person } from '../_kit/people.ts'

export type Decision = {
  readonly id: string
  readonly state: string
  readonly previous_state: string | null
  readonly config: Record<string, unknown>
}

/** A subject that reuse_identity supports. */
export const search = { type: 'reuse_identity', tool_name: 'search', input_hash: 'sha256:0f' }

export type DecisionHttp = {
  readonly database: TestDatabase
  readonly people: People
  /** Any call, by its whole path. */
  readonly call: Awaited<ReturnType<typeof openHttp>>['call']
  /** Calls below `decisions` of the user's own workspace, or of another one. */
  readonly get: (who: Person, path?: string, workspaceId?: string) => Promise<Answer>
  readonly post: (who: Person, path: string, body: unknown, workspaceId?: string) => Promise<Answer>
  /** Makes a new decision; throws if it is refused. */
  readonly propose: (who: Person, body?: object) => Promise<Decision>
  /** Moves a decision through these states; an unproven rule becomes active by force. */
  readonly take: (who: Person, id: string, ...way: readonly string[]) => Promise<void>
  /** Returns how often a change of the rules was published to SDKs of the workspace. */
  readonly told: (workspaceId: string) => number
  readonly stop: () => Promise<void>
}

export const decisionOf = ({ body }: Answer): Decision => body as unknown as Decision
export const listOf = <Item>({ body }: Answer): Item[] => body as unknown as Item[]

/** Starts a database, accounts and a server. */
export async function openDecisionHttp(): Promise<DecisionHttp> {
  const database = await makeDatabase()
  const { db } = database
  const people = await openPeople(db)
  const published: string[] = []
  const decisions = makeDecisionRoutes({ db, control: db, publishRules: (id) => void published.push(id) })
  const http = await openHttp([...people.routes, ...decisions], people.authenticator)

  const get: DecisionHttp['get'] = async (who, path = '', workspaceId = who.workspaceId) =>
    await http.call('GET', `/v1/workspaces/${workspaceId}/decisions${path}`, { token: who.token })
  const post: DecisionHttp['post'] = async (who, path, body, workspaceId = who.workspaceId) =>
    await http.call('POST', `/v1/workspaces/${workspaceId}/decisions${path}`, { token: who.token, body })

  return {
    database,
    people,
    call: http.call,
    get,
    post,
    propose: async (who, body = search) => {
      const answer = await post(who, '', body)
      if (answer.status !== 201) throw new Error(answer.text)
      return decisionOf(answer)
    },
    take: async (who, id, ...way) => {
      for (const to of way) {
        const { status, text } = await post(who, `/${id}/transitions`, { to, force: to === 'active' })
        if (status !== 200) throw new Error(text)
      }
    },
    told: (workspaceId) => published.filter((id) => id === workspaceId).length,
    stop: async () => {
      await http.stop()
      await people.stop()
      await database.stop()
    },
  }
}
