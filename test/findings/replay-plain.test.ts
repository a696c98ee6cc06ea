// For unattested tools with plain results, the finding states up to which age stored results would have been right.
import test from 'ava'
import { repeatedToolCall } from '../../src/findings/detect/repeated-tool-call.ts'
import { unattestedRepeat } from '../../src/findings/detect/unattested-repeat.ts'
import { agentIdOf, hexId } from '../_kit/events.ts'
import { type Draft, hourMs, type Looks, nowMs, openLooks, repeat, type Stored } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

type Replay = Readonly<Record<string, unknown>> | null

const rates = { kind: 'tool', tool: 'get_rates', agent: 'coder', providedCostUsd: 0.01 } as const
const lastMs = nowMs - hourMs

/** A call every five seconds, cycling through the inputs. The holdout is drawn by span ids, which are the same in each run. */
const callsOf = (times: number, inputs: number, contentOf: (nth: number) => string | null): Draft[] =>
  repeat(times, lastMs, 5_000, rates).map((call, nth) => ({
    ...call,
    inputHash: `sha256:${nth % inputs}`,
    contentHash: contentOf(nth),
    span: hexId(1 + nth, 16),
  }))

const constant = (nth: number): string => `sha256:content of ${nth % 3}`

async function findAll(drafts: readonly Draft[]): Promise<{ workspace: string; findings: Stored[] }> {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, drafts)
  await looks.look(workspace, { detector: unattestedRepeat })
  return { workspace, findings: await looks.list(workspace) }
}

async function findOne(drafts: readonly Draft[]): Promise<Stored & { readonly replay: Replay }> {
  const [finding, ...others] = (await findAll(drafts)).findings
  if (finding === undefined || others.length > 0) throw new Error('expected one finding')
  return { ...finding, replay: finding.evidence['replay'] as Replay }
}

test('a constant tool is said to be right up to the highest age that its calls prove, with the bound', async (t) => {
  const { title, detail, replay } = await findOne(callsOf(1_200, 3, constant))
  t.like(replay, { freshness_s: 60, trials: 966, wrong: 0, right_share: 1, proven: true, refuted: false, blocks: 98 })
  t.like(replay, { executions: 1_200, tool_version: null, steps_down: 0 })
  const upper = Number(replay?.['wrong_share_upper'])
  t.true(upper > 0.03 && upper < 0.05, String(upper))
  t.regex(
    detail,
    /Stored results up to 1 minute old would have been right in all 966 calls \(at least 95\.8 %, at 95 % confidence, from 98 periods of that length\): this proves the 95 % that a rule needs\./,
  )
  t.regex(detail, /the same result for at least 1 minute and the tool changes nothing, attest the tool in the SDK/)
  t.is(title, 'Attesting “get_rates” could save 1,197 repeated calls')
})

test('a tool that changes now and then is right in a share of its calls', async (t) => {
  const { detail, replay } = await findOne(callsOf(12_000, 3, (nth) => `sha256:${Math.floor(nth / 600)}`))
  t.like(replay, { freshness_s: 60, proven: true })
  const share = Number(replay?.['right_share'])
  t.true(share > 0.98 && share < 1, String(share))
  t.regex(detail, /up to 1 minute old would have been right in 98\.\d % of 9,\d+ calls \(at least 96\.\d %, at 95 %/)
})

test('few calls prove nothing, and calls prove nothing about ages beyond the time that they cover', async (t) => {
  const { detail, replay } = await findOne(callsOf(40, 3, constant))
  t.like(replay, { freshness_s: 60, trials: 25, wrong: 0, proven: false })
  t.regex(
    detail,
    /up to 1 minute old would have been right in 25 of 25 calls; there were too few periods of that length for a conclusion\./,
  )
})

test('a tool that changes every 20 calls is not advised to be attested, and no saving is put to it', async (t) => {
  const {
    title,
    detail,
    replay,
    est_monthly_cost_usd: cost,
    severity,
    evidence,
  } = await findOne(callsOf(1_200, 3, (nth) => `sha256:${Math.floor(nth / 20)}`))
  t.like(replay, { freshness_s: 60, proven: false, refuted: true })
  t.true(Number(replay?.['right_share']) < 0.7)
  t.regex(title, /results of “get_rates” change or fail too often/)
  t.regex(
    detail,
    /right in only [\d.]+ % of \d+ calls, less than the 95 % that a rule needs: no rule would serve them\./,
  )
  t.regex(detail, /No cost estimate: no rule would serve these results\.$/)
  t.notRegex(detail, /attest/)
  t.deepEqual([cost, severity], [null, 'info'])
  t.like(evidence['price'], { seen_usd: null })
})

test('results that are wrong too often, but not yet with certainty, are described as such', async (t) => {
  const { detail, replay } = await findOne(callsOf(200, 1, (nth) => `sha256:${Math.floor(nth / 20)}`))
  t.like(replay, { freshness_s: 10, proven: false, refuted: false })
  t.regex(detail, /right in only 89\.5 % of 115 calls, less than the 95 % that a rule needs; more calls are needed/)
})

test('a failed call is a wrong result', async (t) => {
  const calls = callsOf(1_200, 3, constant).map((call, nth) =>
    nth % 4 === 0 ? { ...call, status: 'error' as const, contentHash: null } : call,
  )
  const { replay } = await findOne(calls)
  t.like(replay, { executions: 1_200, proven: false, refuted: true })
})

test('for results that were never sent in plain, nothing is predicted until the tool is attested', async (t) => {
  const { detail, replay } = await findOne(callsOf(1_200, 3, () => null))
  t.is(replay, null)
  t.regex(
    detail,
    /contain no plain results\. Until the tool is attested, the service cannot determine whether stored results/,
  )
  t.regex(detail, /attest the tool in the SDK/)
})

test('calls too far apart for any stored result are not counted as right', async (t) => {
  const { detail, replay } = await findOne([
    ...callsOf(12, 6, constant).map((call, nth) => ({ ...call, atMs: lastMs - (12 - nth) * hourMs })),
    ...callsOf(12, 6, constant).map((call, nth) => ({ ...call, inputHash: `other ${nth % 6}` })),
  ])
  t.is(replay, null)
  t.regex(detail, /In a replay of 24 calls no stored result would have been served/)
})

test('the agent and version with the most calls are replayed, apart from all others', async (t) => {
  const { workspace, findings } = await findAll([
    ...callsOf(1_200, 3, constant).map((call) => ({ ...call, toolVersion: '2' })),
    ...callsOf(400, 3, (nth) => `sha256:${nth}`).map((call) => ({ ...call, toolVersion: '1' })),
    ...callsOf(400, 3, (nth) => `sha256:${nth}`).map((call) => ({ ...call, agent: 'writer', toolVersion: '2' })),
  ])
  t.like(findings[0]?.evidence['replay'], {
    trials: 966,
    wrong: 0,
    executions: 1_200,
    agent_id: agentIdOf(workspace, 'coder'),
    tool_version: '2',
  })
  t.regex(findings[0]?.detail ?? '', /right in all 966 calls \(of the agent and version that called it most\)/)
})

test('a tool that writes gets no advice and no replay', async (t) => {
  const calls = callsOf(200, 3, constant).map((call) => ({ ...call, tool: 'send_rates' }))
  const { workspace, findings } = await findAll(calls)
  t.deepEqual(findings, [])
  await looks.look(workspace, { detector: repeatedToolCall })
  for (const { title, detail, evidence } of await looks.list(workspace))
    t.notRegex(`${title} ${detail} ${JSON.stringify(evidence)}`, /attest|stored result|replay/i)
  t.is((await looks.list(workspace)).length, 1)
})

test('one detection replays the five tools with the most repeated calls', async (t) => {
  const { findings } = await findAll(
    Array.from({ length: 6 }, (_, tool) =>
      callsOf(30 + tool, 1, constant).map((call) => ({ ...call, tool: `get_${tool}`, contentHash: 'sha256:c' })),
    ).flat(),
  )
  const replayed = findings.filter(({ evidence }) => evidence['replay'] !== null)
  t.deepEqual(
    replayed.map(({ tool_name: tool }) => String(tool)).sort(),
    [1, 2, 3, 4, 5].map((tool) => `get_${tool}`),
  )
  const least = findings.find(({ tool_name: tool }) => tool === 'get_0')
  t.regex(least?.detail ?? '', /only determined for the 5 tools with the most repeated calls\./)
})
