// No canary in any text of OTLP reaches any column of any table, unless the workspace keeps content as sent.
import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { tracewrightNames } from '../../src/normalise/dialects/tracewright.ts'
import { allDialects } from '../../src/normalise/registry.ts'
import { isContentAttribute } from '../../src/redact/content-attributes.ts'
import type { ContentMode } from '../../src/redact/content-mode.ts'
import { foldScopes } from '../../src/rollups/scopes/fold-scopes.ts'
import type { TimeSpan } from '../../src/rollups/spans.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { decodeRequest } from '../_kit/decode.ts'
import { inGroups } from '../_kit/in-groups.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { type AttributesInput, makeResourceSpans, makeSpan, type SpanInput } from '../_kit/spans.ts'
import { foldAnew } from '../queries/_fold.ts'

const canaries = {
  mail: 'ada.lovelace@canary.example',
  key: 'sk-proj-c4n4ryc4n4ryc4n4ryc4n4ry',
  account: 'DE89370400440532013000',
} as const
type Canary = keyof typeof canaries
/** Words beside the canaries: in content texts, and in names. */
const [freeWords, nameWords] = ['quick brown fox', 'lazy dog']

/** Returns every text that a dialect names: attributes, and some of their values, which do no harm. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(listTexts)]
}

const known = [...new Set([...listTexts(allDialects), ...listTexts(tracewrightNames)])].filter((name) =>
  /[._]/.test(name),
)

/** In content, the name of a requested tool is still a name. */
const saysSomething = (name: string): boolean => isContentAttribute(name) && !name.endsWith('name')

const operations = ['chat', 'execute_tool', 'invoke_agent'] as const

type NamedAttributes = Exclude<AttributesInput, readonly unknown[]>

/** Returns a span in which every other text is the canary, under these attributes and some unknown ones. */
const makeCanarySpan = (canary: string, attributes: NamedAttributes): SpanInput => ({
  name: `call ${canary}`,
  traceState: `vendor=${canary}`,
  status: { code: 2, message: `${freeWords} ${canary}` },
  attributes: {
    ...attributes,
    note: `${freeWords} ${canary}`,
    [`key of ${canary}`]: 1,
    list: [canary, { inner: canary }],
    bytes: Buffer.from(canary),
  },
  events: [
    { name: `event ${canary}`, attributes: { note: canary } },
    { name: 'exception', attributes: { 'exception.type': canary, 'exception.message': `${freeWords} ${canary}` } },
    { name: 'gen_ai.choice', attributes: { message: JSON.stringify({ content: canary, role: 'assistant' }) } },
  ],
  links: [{ attributes: { note: canary } }],
})

/** Attributes that become ids and names in their own columns. */
const makeOwnAttributes = (canary: string): AttributesInput => ({
  'gen_ai.tool.name': `tool ${canary}`,
  'gen_ai.tool.call.id': canary,
  'gen_ai.agent.name': `agent ${canary}`,
  'gen_ai.agent.version': canary,
  'gen_ai.conversation.id': canary,
  'user.id': canary,
  'error.type': canary,
  'gen_ai.request.model': `asked ${canary}`,
  'gen_ai.response.model': canary,
  'gen_ai.response.id': canary,
  'gen_ai.response.finish_reasons': [canary],
  'gen_ai.provider.name': canary,
  'deployment.environment.name': canary,
  'tracewright.task_type': canary,
  'gen_ai.usage.input_tokens': 5,
  'tracewright.tool.attested': true,
  'tracewright.tool.ciphertext': Buffer.alloc(20, 1),
  'tracewright.tool.iv': Buffer.alloc(12, 1),
  'tracewright.tool.tag': Buffer.alloc(16, 1),
  'tracewright.tool.key_id': canary,
  'tracewright.tool.version': canary,
  'tracewright.tool.content_hash': canary,
  'tracewright.tool.input_hash': canary.replace(/[@.]/g, '-'),
  'tracewright.consumed_tool_call_ids': [canary],
  'tracewright.read_tool_call_ids': [canary],
  'gen_ai.output.messages': JSON.stringify([
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: canary, name: `asked ${canary}`, arguments: { to: canary } }],
    },
  ]),
})

const makeRequest = (canary: string) =>
  makeResourceSpans({
    resource: { 'service.name': `service ${canary}`, 'host.name': canary, [canary]: 1 },
    schemaUrl: `https://example.com/${canary}`,
    scope: { name: `scope ${canary}`, version: canary, attributes: { note: canary } },
    spans: operations.flatMap((operation) =>
      [
        makeOwnAttributes(canary),
        ...inGroups(known, 60).map((names) =>
          Object.fromEntries(names.map((name) => [name, `${saysSomething(name) ? freeWords : nameWords} ${canary}`])),
        ),
      ].map((attributes) =>
        makeSpan(makeCanarySpan(canary, { ...(attributes as object), 'gen_ai.operation.name': operation })),
      ),
    ),
  })

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

/** The second request has other spans, of agents that exist then. */
async function ingestTwice(workspaceId: string, contentMode: ContentMode, canary: string): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const decoded = decodeRequest([makeRequest(canary)], { contentMode, workspaceId })
    const rejections = decoded.rejections.examples.map((example) => ({ ...example, count: 1, example: example.detail }))
    const batch = { ...decoded, workspaceId, rejections, eventQuota: null, agentCap: null, granted: null }
    const [outcome] = await storeGroup(base.db, [batch])
    if (outcome?.stored === 0 || outcome?.duplicate !== 0) throw new Error('the spans are not new')
  }
}

const textTypes = ['text', 'jsonb', 'bytea', 'ARRAY', 'character varying', 'json']
const zstdMagic = Buffer.of(0x28, 0xb5, 0x2f, 0xfd)

const toText = (value: unknown): string => {
  if (!(value instanceof Buffer)) return typeof value === 'string' ? value : JSON.stringify(value)
  return (value.subarray(0, 4).equals(zstdMagic) ? zstdDecompressSync(value) : value).toString('latin1')
}

/** Returns, by table and column, all text and bytes that the workspace has stored. */
async function readColumns(workspaceId: string): Promise<Map<string, string>> {
  const columns = await base.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c
     join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any($1)
       and exists (select from information_schema.columns w
         where w.table_schema = 'public' and w.table_name = c.table_name and w.column_name = 'workspace_id')`,
    [textTypes],
  )
  const texts = new Map<string, string>()
  for (const { table_name: table, column_name: column } of columns) {
    const rows = await base.query<{ value: unknown }>(
      `select ${column} as value from ${table} where workspace_id = $1 and ${column} is not null`,
      [workspaceId],
    )
    texts.set(`${table}.${column}`, rows.map(({ value }) => toText(value)).join('\n'))
  }
  return texts
}

const minuteMs = 60_000

/** Returns the span around now, in whole minutes. */
function wholeMinutes(): TimeSpan {
  const now = Math.floor(Date.now() / minuteMs)
  return { fromMs: (now - 10) * minuteMs, toMs: (now + 1) * minuteMs }
}

async function storeCanaries(mode: ContentMode): Promise<{ workspace: string; columns: Map<string, string> }> {
  const workspace = await insertWorkspaceRow(base.query)
  for (const canary of Object.values(canaries)) await ingestTwice(workspace, mode, canary)
  const before = await readColumns(workspace)
  await settleUnhurried(base.db, 0)
  await foldAnew(base.db, workspace, wholeMinutes())
  while ((await foldScopes(base.db, [workspace])) > 0);
  const columns = await readColumns(workspace)
  return {
    workspace,
    columns: new Map([...columns].map(([name, text]) => [name, `${before.get(name) ?? ''}\n${text}`])),
  }
}

/** Ignores case: the name of a provider is stored in lower case. */
const listFinds = (columns: ReadonlyMap<string, string>, needle: string): string[] =>
  [...columns].filter(([, text]) => text.toLowerCase().includes(needle.toLowerCase())).map(([name]) => name)

/** Columns that each hold some text of the sender. */
const takers = `agents.models agents.name
  events.agent_fallback events.agent_own events.agent_version events.consumed_tool_call_ids events.content_hash
  events.environment events.error_message events.error_type events.finish_reasons events.key_id events.model
  events.name events.provider events.read_tool_call_ids events.request_model events.response_id events.scope_name
  events.scope_version events.session_id events.session_own events.task_type events.tool_call_id events.tool_name
  events.tool_requests events.tool_version events.user_id events.user_own payload_blocks.body rollup_deltas.body
  rollups.cells scope_counts.scope_name scope_deltas.scope_name traces.models traces.name
  traces.session_id traces.tools traces.user_id`
  .split(/\s+/)
  .sort()

test.serial('full: canaries are found wherever the texts of senders are stored', async (t) => {
  const { columns } = await storeCanaries('full')
  for (const [kind, canary] of Object.entries(canaries)) {
    const finds = listFinds(columns, canary)
    t.deepEqual(
      takers.filter((name) => !finds.includes(name)),
      [],
      kind,
    )
  }
  t.true(listFinds(columns, freeWords).includes('payload_blocks.body'))
})

for (const mode of ['redacted', 'none'] as const) {
  test.serial(`${mode}: no canary is in any column of any table`, async (t) => {
    const { columns } = await storeCanaries(mode)
    for (const canary of Object.keys(canaries) as Canary[])
      t.deepEqual(listFinds(columns, canaries[canary]), [], canary)
    if (mode === 'none') t.deepEqual(listFinds(columns, freeWords), [])
    t.true((columns.get('events.name') ?? '').includes('call [redacted:email:'))
  })
}
