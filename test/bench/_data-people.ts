// The part of a large data set that the service itself makes, and what follows from its rows: a user, payloads, workspaces, agents, usage.
import type pg from 'pg'
import { startProcess } from '../_kit/service-process.ts'
import { agentIdAt, agentNames, type Layout, otherWorkspaces, workspaceIdAt } from './_data-shape.ts'
import { makeBatches } from './_spans.ts'

export type People = {
  readonly workspaceId: string
  readonly email: string
  readonly password: string
  /** Key of a small, empty workspace of the same user. */
  readonly key: string
}

export type MadePeople = {
  readonly people: People
  readonly bodies: readonly Uint8Array[]
  readonly spansInBlock: number
}

export const dataSecret = 'a secret that is good enough for a bench'
const person = { email: 'bench@example.com', password: 'a password that is good enough' }

async function post<T>(baseUrl: string, path: string, token: string | null, body: object): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

/** Returns a session token of an existing user. */
export async function logIn(baseUrl: string, { email, password }: People): Promise<string> {
  return (await post<{ access_token: string }>(baseUrl, '/v1/auth/login', null, { email, password })).access_token
}

/**
 * Signs a user up and lets the service store one request, whose payload blocks are reused for the whole set. The tables are empty
 * afterwards.
 */
export async function makePeople(url: string, client: pg.Client): Promise<MadePeople> {
  const service = await startProcess({ DATABASE_URL: url, SECRET: dataSecret, LOG_LEVEL: 'warn' })
  try {
    const { access_token: token } = await post<{ access_token: string }>(
      service.baseUrl,
      '/v1/auth/signup',
      null,
      person,
    )
    const { rows: own } = await client.query<{ id: string }>('select id from workspaces')
    const asked = { workspace_id: own[0]?.id, name: 'bench' }
    const { api_key: key } = await post<{ api_key: string }>(service.baseUrl, '/v1/keys', token, asked)
    const [batch] = makeBatches(1)
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    }
    const traces = `${service.baseUrl}/v1/otlp/v1/traces`
    const sent = await fetch(traces, { method: 'POST', headers, body: new Uint8Array(batch?.body ?? []) })
    if (sent.status !== 200) throw new Error(`the sample was answered with ${sent.status}`)
    return { people: { workspaceId: workspaceIdAt(0), ...person, key }, ...(await takeBodies(client)) }
  } finally {
    await service.end('SIGTERM')
    await empty(client)
  }
}

async function takeBodies(client: pg.Client): Promise<Pick<MadePeople, 'bodies' | 'spansInBlock'>> {
  const { rows } = await client.query<{ body: Buffer; spans: number }>(
    `select p.body, count(*)::int as spans from payload_blocks p
     join events e on e.workspace_id = p.workspace_id and e.payload_id = p.id group by p.id, p.body`,
  )
  const spansInBlock = Math.max(...rows.map(({ spans }) => spans))
  return { bodies: rows.filter(({ spans }) => spans === spansInBlock).map(({ body }) => body), spansInBlock }
}

/** Empties every table of the schema that holds traffic of a workspace. */
async function empty(client: pg.Client): Promise<void> {
  const kept = ['workspaces', 'api_keys', 'decisions', 'findings']
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and not c.relname = any ($1)`,
    [kept],
  )
  for (const { name } of rows) await client.query(`truncate ${name}`)
}

/** Inserts the workspaces of the set, all in the user's org. */
export async function insertWorkspaces(client: pg.Client): Promise<void> {
  for (let place = 0; place <= otherWorkspaces; place += 1) {
    await client.query(
      `insert into workspaces (id, org_id, name, plan, redaction_secret)
       select $1, org_id, $2, plan, redaction_secret from workspaces limit 1`,
      [workspaceIdAt(place), place === 0 ? 'large' : `other ${place}`],
    )
  }
}

/** Fills agents and usage from the stored rows. */
export async function countUp(client: pg.Client, { events }: Layout): Promise<void> {
  const names = Array.from({ length: otherWorkspaces + 1 }, (_, place) =>
    agentNames.map((name, agent) => ({ workspace_id: workspaceIdAt(place), id: agentIdAt(place, agent), name })),
  ).flat()
  await client.query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen, models, events)
     select n.workspace_id, n.id, n.name, min(e.first), max(e.last),
       coalesce(array_agg(e.model order by e.model) filter (where e.model is not null), '{}'), sum(e.events)
     from jsonb_to_recordset($1::jsonb) as n (workspace_id uuid, id uuid, name text)
     join (
       select workspace_id, agent_id, model, min(start_time) as first, max(start_time) as last, count(*) as events
       from events group by 1, 2, 3
     ) e on e.workspace_id = n.workspace_id and e.agent_id = n.id
     group by 1, 2, 3`,
    [JSON.stringify(names)],
  )
  await client.query(
    `insert into usage_months (workspace_id, month, accepted)
     select workspace_id, '2026-10-01', sum(events) from agents group by 1`,
  )
  await client.query(
    `insert into usage_days (workspace_id, day, stored)
     select workspace_id, '2026-10-31', sum(events) from agents group by 1`,
  )
  const { rows } = await client.query<{ events: string }>('select sum(events) as events from agents')
  if (Number(rows[0]?.events) !== events) throw new Error(`${rows[0]?.events} of ${events} events are there`)
}
