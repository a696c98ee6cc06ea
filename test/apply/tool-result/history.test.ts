// Random histories of executions, questions and time, against a reading of the rule by hand over everything that was stored.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openToolResults, type ToolResults } from '../../../src/apply/tool-result/open.ts'
import { toolResultResponse } from '../../../src/apply/tool-result/routes.ts'
import { openResultSubjects } from '../../../src/otlp/rows/result-subjects.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../../_kit/events.ts'
import { makeRandom, type Random } from '../../_kit/random.ts'
import { type RuleSeed, serveRules } from './_rules.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const histories = 40
const steps = 45
const freshnessS = 60
const beginMs = Date.parse('2026-03-01T12:00:00Z')
const tools = ['search', 'fetch'] as const
const inputs = ['i', 'j', null] as const
const agents = ['coder', 'critic'] as const

type Execution = EventSeed & { readonly startUs: number }

const toIso = (us: number): string =>
  `${new Date(Math.floor(us / 1_000)).toISOString().slice(0, -1)}${String(us % 1_000).padStart(3, '0')}Z`

/** Mostly one that may be served; each of its faults now and then. Few distinct times, so that some tie. */
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
    status: random.chance(0.1) ? 'error' : 'ok',
    served: random.chance(0.1),
    holdout: random.chance(0.1),
    attested: !random.chance(0.1),
    contentHash: random.chance(0.1) ? null : `content ${nth}`,
    keyId: random.chance(0.1) ? null : 'key',
    durationUs: random.pick([null, 0, 1, 1_000, 5_000_000, 20_000_000]),
  }
}

/** Descending: what would be taken first. */
const byAge = (a: Execution, b: Execution): number =>
  b.startUs - a.startUs || b.trace.localeCompare(a.trace) || b.span.localeCompare(a.span)

/** The content that must be served, or null. */
function readByHand(stored: readonly Execution[], workspaceId: string, rule: RuleSeed, nowMs: number): string | null {
  const nowUs = nowMs * 1_000
  const candidates = stored.filter(
    (one) =>
      one.kind === 'tool' &&
      one.status === 'ok' &&
      one.served === false &&
      one.attested === true &&
      one.contentHash !== null &&
      one.keyId !== null &&
      one.tool === rule.tool &&
      (rule.type === 'suppress_dead' || one.inputHash === rule.input) &&
      (rule.agentId == null || rule.agentId === agentIdOf(workspaceId, one.agent ?? '')) &&
      one.startUs > nowUs - freshnessS * 1_000_000 &&
      one.startUs + (one.durationUs ?? 0) <= nowUs,
  )
  return candidates.sort(byAge)[0]?.contentHash ?? null
}

function listRules(workspaceId: string): RuleSeed[] {
  const make = (type: string, input: string | null, agentId: string | null, tool = 'search'): RuleSeed => ({
    id: randomUUID(),
    type,
    tool,
    input,
    agentId,
    freshnessS,
  })
  const coder = agentIdOf(workspaceId, 'coder')
  return [
    make('reuse_identity', 'i', null),
    make('reuse_identity', 'j', null),
    make('reuse_identity', 'i', coder),
    make('suppress_dead', null, null),
    make('suppress_dead', null, coder),
    make('suppress_dead', null, null, 'fetch'),
  ]
}

function listSubjects(executions: readonly Execution[]): readonly number[] | null {
  const subjects = openResultSubjects()
  const triple = { ciphertext: Buffer.alloc(1), iv: Buffer.alloc(12), tag: Buffer.alloc(16), keyId: 'key' }
  for (const one of executions) {
    subjects.add({
      kind: one.kind ?? 'tool',
      status: one.status ?? 'ok',
      toolName: one.tool ?? null,
      inputHash: one.inputHash ?? null,
      contentHash: one.contentHash ?? null,
      attested: one.attested ?? false,
      served: one.served ?? false,
      encrypted: one.keyId === null ? null : triple,
    })
  }
  return subjects.finish()
}

async function ask(results: ToolResults, workspaceId: string, rule: RuleSeed): Promise<string | null> {
  const question = { decisionId: rule.id, inputHash: rule.input ?? 'anything' }
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

/** Plays one history; `hasNotices` false: nobody tells the memory of commits. */
async function play(seed: number, hasNotices: boolean): Promise<Played> {
  const random = makeRandom(seed)
  const workspaceId = randomUUID()
  const neighbour = randomUUID()
  const rules = listRules(workspaceId)
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
    maxLookMs: 30_000,
  })
  const stored: Execution[] = []
  const wrong: string[] = []
  let served = 0
  let refused = 0
  for (let step = 0; step < steps; step += 1) {
    if (random.chance(0.25)) {
      const fresh = Array.from({ length: 1 + random.int(3) }, (_, nth) =>
        makeExecution(random, clock.nowMs, step * 4 + nth),
      )
      await storeEvents(base.query, workspaceId, fresh)
      // The same, and newer, in a workspace that must not matter.
      await storeEvents(base.query, neighbour, [
        { ...makeExecution(random, clock.nowMs, step), contentHash: 'foreign' },
      ])
      stored.push(...fresh)
      if (hasNotices) results.forget(workspaceId, listSubjects(fresh))
    }
    if (random.chance(0.3)) clock.nowMs += random.pick([1, 250, 1_000, 4_999, 20_000])
    const rule = random.pick(rules)
    const given = await ask(results, workspaceId, rule)
    const right = readByHand(stored, workspaceId, rule, clock.nowMs)
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

test('a served result is always the newest candidate that a reading by hand finds, or a 404 where there is none', async (t) => {
  const first = Math.floor(Math.random() * 1e9)
  const played = await playAll(
    Array.from({ length: histories }, (_, nth) => first + nth),
    true,
  )
  t.deepEqual(played.wrong, [])
  t.true(played.served > histories, `${played.served} served`)
  t.true(played.refused > histories, `${played.refused} refused`)
  t.true(played.fromMemory > histories, `${played.fromMemory} from memory`)
})

test('the same reading finds out a memory that nobody tells of commits', async (t) => {
  const { wrong } = await playAll(
    Array.from({ length: 8 }, (_, nth) => nth),
    false,
  )
  t.true(wrong.length > 0)
})
