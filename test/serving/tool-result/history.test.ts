// Random histories of executions, invalidations, requests and time, compared with a direct evaluation of the rule over everything that was
// stored.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openResultSubjects } from '../../../src/encode/result-subjects.ts'
import { openToolResults, type ToolResults } from '../../../src/serving/tool-result/open.ts'
import { toolResultResponse } from '../../../src/serving/tool-result/routes.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../../_kit/events.ts'
import { makeRandom, type Random } from '../../_kit/random.ts'
import { seed as firstSeed, inSoak } from '../../_kit/soak.ts'
import { type RuleSeed, serveRules } from './_rules.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const histories = inSoak(20, 40)
const steps = 45
const freshnessS = 60
const beginMs = Date.parse('2026-03-01T12:00:00Z')
const tools = ['search', 'fetch'] as const
const inputs = ['i', 'j', null] as const
const agents = ['coder', 'critic'] as const
const versions = [null, null, '2'] as const
const scopes = ['s', null] as const

type Execution = EventSeed & { readonly startUs: number }

const toIso = (us: number): string =>
  `${new Date(Math.floor(us / 1_000)).toISOString().slice(0, -1)}${String(us % 1_000).padStart(3, '0')}Z`

/** Usually an execution that can be served, sometimes with a fault. Few distinct times, so that some tie. */
function makeExecution(random: Random, nowMs: number, nth: number): Execution {
  const startUs = (nowMs + (random.int(90) - 75) * 1_000) * 1_000 + random.pick([0, 0, 1, 999])
  return {
    startUs,
    start: toIso(startUs),
    trace: hexId(random.int(4), 32),
    span: hexId(nth * 7 + random.int(7), 16),
    kind: random.chance(0.05) ? 'llm' : 'tool',
    agent: random.pick(agents),
    tool: random.chance(0.8) ? 'search' : random.pick(tools),
    inputHash: random.pick(inputs),
    toolVersion: random.pick(versions),
    scopeHash: random.pick(scopes),
    status: random.chance(0.1) ? 'error' : 'ok',
    served: random.chance(0.1),
    holdout: random.chance(0.1),
    attested: !random.chance(0.1),
    attestedUnread: !random.chance(0.3),
    contentHash: random.chance(0.1) ? null : `content ${nth}`,
    keyId: random.chance(0.1) ? null : 'key',
    durationUs: random.pick([null, 0, 1, 1_000, 5_000_000, 20_000_000]),
  }
}

const endUsOf = ({ startUs, durationUs }: Execution): number => startUs + (durationUs ?? 0)

/** Descending: the preferred one first. */
const byAge = (a: Execution, b: Execution): number =>
  endUsOf(b) - endUsOf(a) || b.startUs - a.startUs || b.trace.localeCompare(a.trace) || b.span.localeCompare(a.span)

type Invalidation = {
  readonly atUs: number
  readonly agent: string | null
  readonly version: string | null
  readonly input: string | null
}

type Known = { readonly stored: readonly Execution[]; readonly invalidations: readonly Invalidation[] }

const isInvalid = (one: Execution, invalidations: readonly Invalidation[]): boolean =>
  invalidations.some(
    ({ atUs, agent, version, input }) =>
      one.tool === 'search' &&
      one.startUs <= atUs &&
      (agent === null || agent === one.agent) &&
      (version === null || version === one.toolVersion) &&
      (input === null || input === one.inputHash),
  )

/** Returns the content that must be served for `input`, or null. */
function readByHand(known: Known, workspaceId: string, rule: RuleSeed, input: string, nowMs: number): string | null {
  const nowUs = nowMs * 1_000
  const ofScope = rule.type === 'suppress_dead'
  const isStored = (one: Execution): boolean => one.contentHash !== null && one.keyId !== null
  if (!ofScope && rule.input !== input && rule.inputs?.includes(input) !== true) return null
  const [newest] = known.stored
    .filter(
      (one) =>
        one.kind === 'tool' &&
        one.served === false &&
        one.tool === rule.tool &&
        one.toolVersion === (rule.version ?? null) &&
        (rule.agentId == null || rule.agentId === agentIdOf(workspaceId, one.agent ?? '')) &&
        (ofScope
          ? one.scopeHash === 's' && one.attestedUnread === true && (one.status === 'error' || isStored(one))
          : one.inputHash === input) &&
        endUsOf(one) <= nowUs,
    )
    .sort(byAge)
  if (newest === undefined || newest.status === 'error' || !isStored(newest)) return null
  if (!ofScope && newest.attested !== true) return null
  if (endUsOf(newest) <= nowUs - freshnessS * 1_000_000 || isInvalid(newest, known.invalidations)) return null
  return newest.contentHash ?? null
}

/** Adds active decisions. Returns them as rule seeds. */
async function addRules(workspaceId: string): Promise<RuleSeed[]> {
  const coder = agentIdOf(workspaceId, 'coder')
  const rules = (
    [
      { input: 'i' },
      { inputs: ['i', 'j'] },
      { inputs: ['j'], version: '2' },
      { inputs: ['i', 'j'], agentId: coder },
      { type: 'suppress_dead' },
      { type: 'suppress_dead', agentId: coder },
      { type: 'suppress_dead', version: '2' },
      { type: 'suppress_dead', tool: 'fetch' },
    ] satisfies Omit<RuleSeed, 'id'>[]
  ).map((one): RuleSeed => ({ id: randomUUID(), type: 'reuse_identity', tool: 'search', freshnessS, ...one }))
  for (const { id, type, tool, version, input, inputs, agentId } of rules) {
    await base.query(
      `insert into decisions (id, workspace_id, type, state, tool_name, tool_version, input_hash, inputs, agent_id, config)
       values ($1, $2, $3, 'active', $4, $5, $6, $7, $8, '{}')`,
      // One live decision for each subject; the subject does not matter here.
      [
        id,
        workspaceId,
        type,
        `${tool} of ${id}`,
        version ?? null,
        input ?? null,
        inputs ?? (input === undefined ? null : [input]),
        agentId ?? null,
      ],
    )
  }
  return rules
}

async function invalidate(workspaceId: string, { atUs, agent, version, input }: Invalidation): Promise<void> {
  await base.query(
    `insert into invalidations as i (id, workspace_id, at, tool_name, agent_name, tool_version, input_hash)
     values (gen_random_uuid(), $1, $2, 'search', $3, $4, $5)
     on conflict (workspace_id, tool_name, input_hash, tool_version, agent_name) do update set at = greatest(i.at, excluded.at)`,
    [workspaceId, toIso(atUs), agent, version, input],
  )
}

function listSubjects(executions: readonly Execution[]): readonly number[] | null {
  const subjects = openResultSubjects()
  for (const one of executions) {
    subjects.add({
      kind: one.kind ?? 'tool',
      toolName: one.tool ?? null,
      inputHash: one.inputHash ?? null,
      scopeHash: one.scopeHash ?? null,
      attested: one.attested ?? false,
      attestedUnread: one.attestedUnread ?? false,
      served: one.served ?? false,
    })
  }
  return subjects.finish()
}

async function ask(results: ToolResults, workspaceId: string, rule: RuleSeed, input: string): Promise<string | null> {
  const question = { decisionId: rule.id, inputHash: input, scopeHash: 's' }
  const answer = results.peek(workspaceId, question) ?? (await results.read(workspaceId, question))
  if (answer?.status !== 200) return null
  const body = toolResultResponse.parse(JSON.parse(answer.body.toString()))
  return Buffer.from(body.ciphertext_b64, 'base64').toString() === body.content_hash ? body.content_hash : 'torn'
}

type Played = {
  readonly wrong: string[]
  readonly served: number
  readonly refused: number
  readonly fromMemory: number
}

/** Plays one history; `hasNotices` false: the memory receives no notices of commits. */
async function play(seed: number, hasNotices: boolean): Promise<Played> {
  const random = makeRandom(seed)
  const workspaceId = randomUUID()
  const neighbour = randomUUID()
  const rules = await addRules(workspaceId)
  const held = { rules: await serveRules(1, rules), ageS: 0 }
  const clock = { nowMs: beginMs }
  let fromMemory = 0
  const results = openToolResults({
    db: base.db,
    rules: { peek: () => held.rules, read: () => Promise.resolve(held) },
    onAnswer: (_outcome, from) => (fromMemory += from === 'memory' ? 1 : 0),
    onError: (error) => {
      throw error
    },
    nowMs: () => clock.nowMs,
    steadyMs: () => clock.nowMs,
    maxLookupMs: 30_000,
  })
  const stored: Execution[] = []
  const invalidations: Invalidation[] = []
  const wrong: string[] = []
  let served = 0
  let refused = 0
  for (let step = 0; step < steps; step += 1) {
    if (random.chance(0.25)) {
      const fresh = Array.from({ length: 1 + random.int(3) }, (_, nth) =>
        makeExecution(random, clock.nowMs, step * 4 + nth),
      )
      await storeEvents(base.query, workspaceId, fresh)
      // The same, but newer, in a workspace that must not matter.
      await storeEvents(base.query, neighbour, [
        { ...makeExecution(random, clock.nowMs, step), contentHash: 'foreign' },
      ])
      stored.push(...fresh)
      if (hasNotices) results.forget(workspaceId, listSubjects(fresh))
    }
    if (random.chance(0.3)) clock.nowMs += random.pick([1, 250, 1_000, 4_999, 20_000])
    if (random.chance(0.05)) {
      const atUs = clock.nowMs * 1_000
      const pick = <T>(values: readonly T[]): T | null => (random.chance(0.7) ? null : random.pick(values))
      const given = { atUs, agent: pick(agents), version: pick(['2']), input: pick(['i', 'j']) }
      await invalidate(workspaceId, given)
      invalidations.push(given)
      if (hasNotices) results.forget(workspaceId, null)
    }
    const rule = random.pick(rules)
    const input = random.pick(['i', 'j'])
    const given = await ask(results, workspaceId, rule, input)
    const right = readByHand({ stored, invalidations }, workspaceId, rule, input, clock.nowMs)
    if (given === null) refused += 1
    else served += 1
    if (given !== right) wrong.push(`seed ${seed}, step ${step}: ${given ?? '404'} instead of ${right ?? '404'}`)
  }
  return { wrong, served, refused, fromMemory }
}

async function playAll(seeds: readonly number[], hasNotices: boolean): Promise<Played> {
  const played: Played[] = []
  for (const seed of seeds) played.push(await play(seed, hasNotices))
  const sum = (of: (one: Played) => number): number => played.reduce((total, one) => total + of(one), 0)
  return {
    wrong: played.flatMap(({ wrong }) => wrong),
    served: sum(({ served }) => served),
    refused: sum(({ refused }) => refused),
    fromMemory: sum(({ fromMemory }) => fromMemory),
  }
}

test('a served result is always the newest candidate of a reference implementation, or 404 if there is none', async (t) => {
  const played = await playAll(
    Array.from({ length: histories }, (_, nth) => firstSeed + nth),
    true,
  )
  t.deepEqual(played.wrong, [])
  t.true(played.served > histories, `${played.served} served`)
  t.true(played.refused > histories, `${played.refused} refused`)
  t.true(played.fromMemory > histories, `${played.fromMemory} from memory`)
})

test('the control: the reference implementation detects a cache that receives no notices of commits', async (t) => {
  let wrong: readonly string[] = []
  for (let nth = 0; nth < 8 && wrong.length === 0; nth += 1) wrong = (await play(nth, false)).wrong
  t.true(wrong.length > 0)
})
