// The client and the real service: what one stores another is served, and what the service holds of it, it cannot read.
import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import { startService, type TestService } from '../../test/_kit/serve.ts'
import { inSoak } from '../../test/_kit/soak.ts'
import { until, untilFound } from '../../test/_kit/until.ts'
import { addDecision } from '../../test/_kit/workspace.ts'
import type { Tracewright, TracewrightOptions } from '../src/tracewright.ts'
import { keyOf, makeClient } from './_client.ts'

const canary = 'Quecksilberkanarienvogel'
const canaryArgument = 'Pfauenfederargument'

let service: TestService
const clients: Tracewright[] = []

test.before(async () => {
  service = await startService()
})
test.after.always(async () => {
  await Promise.all(clients.map((client) => client.shutdown()))
  await service.stop()
})

async function connect(options: Partial<TracewrightOptions> = {}): Promise<Tracewright> {
  const client = makeClient(service.baseUrl, { apiKey: service.key, ...options })
  clients.push(client)
  await client.ready(60_000)
  return client
}

type Found = { readonly words: string; readonly call: number }

/** A tool that tells its calls apart. */
function makeSearch(client: Tracewright): {
  readonly search: (q: string, callId?: string) => Promise<Found>
  calls: () => number
} {
  let calls = 0
  const wrapped = client.tool(
    'search',
    async ({ q }: { q: string }): Promise<Found> => {
      calls += 1
      return { words: `${canary} of ${q.length}`, call: calls }
    },
    { attest: true, costUsd: 0.02 },
  )
  return {
    calls: () => calls,
    search: (q, callId) => wrapped({ q }, callId === undefined ? {} : { callId }),
  }
}

test.serial(
  'what a client sends is stored as a real, attested execution with the cost and the ids that it said',
  async (t) => {
    const client = await connect()
    const { search } = makeSearch(client)
    const messages = [{ role: 'tool', tool_call_id: 'call_1', content: `{"words":"${canary} of 19","call":1}` }]
    await client.agent('guide', { sessionId: 'session-1', taskType: 'find' }, async () => {
      await search(canaryArgument, 'call_1')
      await client.llm({ provider: 'openai', model: 'gpt-4.1-mini', messages }, () => ({
        choices: [{ finish_reason: 'stop', message: { content: `The ${canary}!` } }],
        usage: { prompt_tokens: 50, completion_tokens: 5 },
      }))
    })
    t.true(await client.flush())
    const rows = await service.query(
      `select e.kind, e.attested, e.served, e.session_id, e.task_type, e.tool_call_id, e.provided_cost_usd, e.input_tokens::int, a.name as agent,
       e.consumed_tool_call_ids, e.read_tool_call_ids, e.input_hash is not null as hashed, e.content_hash is not null as validated
     from events e join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
     where e.workspace_id = $1 and e.kind in ('tool', 'llm') order by e.kind desc`,
      [service.workspaceId],
    )
    t.like(rows[0], {
      kind: 'tool',
      attested: true,
      served: false,
      session_id: 'session-1',
      task_type: 'find',
      tool_call_id: 'call_1',
      provided_cost_usd: 0.02,
      agent: 'guide',
      hashed: true,
      validated: true,
    })
    t.like(rows[1], { kind: 'llm', session_id: 'session-1', input_tokens: 50, agent: 'guide' })
    t.deepEqual(rows[1]?.['consumed_tool_call_ids'], ['call_1'])
    t.deepEqual(rows[1]?.['read_tool_call_ids'], ['call_1'])
  },
)

test.serial('the longest result that a client sends is one that the service stores', async (t) => {
  const client = await connect()
  const large = client.tool('large', async (chars: number) => 'x'.repeat(chars), { attest: true })
  const roomChars = 262_144 - 400
  const stepChars = inSoak(100, 20)
  for (let chars = roomChars; chars < roomChars + 400; chars += stepChars) await large(chars)
  t.true(await client.flush())
  const calls = 400 / stepChars
  const sent = calls - (client.stats().unstored.too_large ?? 0)
  t.true(sent > 0 && sent < calls)
  const [row] = await service.query<{ stored: number; longest: number }>(
    `select count(*)::int as stored, max(octet_length(ciphertext))::int as longest from tool_results
     where workspace_id = $1 and octet_length(ciphertext) > 200000`,
    [service.workspaceId],
  )
  t.is(row?.stored, sent)
  t.true((row?.longest ?? 0) > 262_144 - stepChars)
})

const inputHash = async (): Promise<string> => {
  const [row] = await service.query<{ input_hash: string }>(
    `select input_hash from events where workspace_id = $1 and tool_name = 'search' and input_hash is not null order by start_time limit 1`,
    [service.workspaceId],
  )
  return row?.input_hash ?? ''
}

let decisionId = ''

/** The service has the result in memory. */
const untilServed = async (): Promise<void> => {
  const path = `/v1/apply/tool-result?decision_id=${decisionId}&input_hash=${await inputHash()}`
  await until(async () => (await service.call('GET', path, { token: service.key })).status === 200)
}

/** Removes all executions but the first, so that its result is the newest again. */
const keepFirst = async (): Promise<unknown> =>
  await service.query(
    `delete from events where workspace_id = $1 and tool_name = 'search' and start_time > (
     select min(start_time) from events where workspace_id = $1 and tool_name = 'search')`,
    [service.workspaceId],
  )

type InTime = { readonly found: Found; readonly callId: string; readonly ran: number }

/**
 * Searches until the service has looked in time: it answers a look at the database that takes longer than agents wait as if there were no
 * result. `ran`: how often the last search ran the tool.
 */
async function searchInTime(client: Tracewright, { search, calls }: ReturnType<typeof makeSearch>): Promise<InTime> {
  const countRefused = (): number => client.stats().missed.refused ?? 0
  let nth = 0
  return await untilFound(async () => {
    nth += 1
    await untilServed()
    const before = { calls: calls(), refused: countRefused() }
    const callId = `in time ${nth}`
    const found = await search(canaryArgument, callId)
    if (countRefused() === before.refused) return { found, callId, ran: calls() - before.calls }
    await client.flush()
    await keepFirst()
    return null
  })
}

test.serial('a running client receives a new rule, and serves by it a result that another client stored', async (t) => {
  const client = await connect()
  const searching = makeSearch(client)
  decisionId = await addDecision(service.query, service.workspaceId, {
    inputHash: await inputHash(),
    config: { freshness_s: 3_600, holdout_rate: 0 },
    state: 'shadow',
  })
  const path = `/v1/workspaces/${service.workspaceId}/decisions/${decisionId}/transitions`
  t.is((await service.call('POST', path, { body: { to: 'active' } })).status, 200)
  await until(() => client.stats().rules === 1)
  const { found, callId, ran } = await searchInTime(client, searching)
  t.deepEqual(found, { words: `${canary} of 19`, call: 1 })
  t.is(ran, 0)
  const before = searching.calls()
  t.is((await searching.search('another')).call, before + 1)
  t.is(searching.calls(), before + 1)
  t.true(await client.flush())
  const [served] = await service.query(
    `select served, decision_id, input_hash, attested from events where workspace_id = $1 and tool_call_id = $2`,
    [service.workspaceId, callId],
  )
  t.deepEqual(served, { served: true, decision_id: decisionId, input_hash: null, attested: false })
})

test.serial(
  'another hash key finds no rule, another encryption key decrypts nothing, and a rotated one decrypts old results',
  async (t) => {
    const stranger = makeSearch(await connect({ hashKey: keyOf('x') }))
    t.is((await stranger.search(canaryArgument)).call, 1)
    t.is(stranger.calls(), 1)

    const impostorClient = await connect({ encryptionKeys: { current: { keyId: 'a', key: keyOf('x') } } })
    const impostor = makeSearch(impostorClient)
    t.is((await searchInTime(impostorClient, impostor)).ran, 1)
    const { refused: _refused, ...missed } = impostorClient.stats().missed
    t.deepEqual(missed, { not_opened: 1 })
    await impostorClient.shutdown()

    await keepFirst()
    const current = { keyId: 'b', key: keyOf('b') }
    const rotated = await connect({ encryptionKeys: { current, previous: [{ keyId: 'a', key: keyOf('a') }] } })
    const { found, ran } = await searchInTime(rotated, makeSearch(rotated))
    t.is(found.call, 1)
    t.is(ran, 0)
  },
)

test.serial('no table contains a result or an argument in readable form', async (t) => {
  await service.settled()
  const dump = await readEverything()
  t.true(dump.includes('execute_tool search'), 'the payloads are looked into')
  for (const secret of [canary, canaryArgument]) {
    for (const form of formsOf(secret)) t.false(dump.includes(form), form)
  }
})

/** As it is, as bytea is written, and as base64 has it at each of three places. */
function formsOf(text: string): string[] {
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + text).toString('base64')
    return encoded.slice(4, -4)
  })
  return [text, Buffer.from(text).toString('hex'), ...shifted]
}

async function readEverything(): Promise<string> {
  const tables = await service.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await service.query<{ text: string }>(`select t::text as text from ${name} t`)
    parts.push(...rows.map(({ text }) => text))
  }
  const blocks = await service.query<{ body: Buffer }>('select body from payload_blocks')
  parts.push(...blocks.map(({ body }) => zstdDecompressSync(body).toString('latin1')))
  return parts.join('\n')
}
