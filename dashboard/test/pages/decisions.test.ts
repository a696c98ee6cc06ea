// What the pages of decisions derive from the responses of the API.
import test from 'ava'
import type { Schemas } from '../../src/api/client.ts'
import { classifyEnding } from '../../src/decisions/ending.ts'
import { describeMove, listMoves, needsForce, needsReason, states } from '../../src/decisions/lifecycle.ts'
import { readProposal, readScore, shareOfProof, type Transition } from '../../src/decisions/score.ts'
import {
  describeBasis,
  describeClaim,
  describeNextProof,
  describeScope,
  isHeldByPerson,
  judge,
  nameAge,
  nameClaim,
  servedAge,
} from '../../src/decisions/wording.ts'
import { findWorth, medianDays, sumWorth } from '../../src/decisions/worth.ts'
import { listConfig } from '../../src/pages/decision/config-rows.ts'
import { listEvidence, listWrongShares, makeGrid, numberMoments } from '../../src/pages/decision/grid.ts'
import { groupTicks } from '../../src/pages/decision/ticks.ts'
import { pressSort, readSorting, sortDecisions } from '../../src/pages/decisions/sort.ts'

type Decision = Schemas['Decision']

const make = (changes: Partial<Decision> = {}): Decision => ({
  id: 'd',
  task_type_id: null,
  type: 'reuse_identity',
  state: 'shadow',
  previous_state: null,
  config: { tool_name: 'rates', freshness_s: 3_600 },
  shadow_samples: 0,
  shadow_match_rate: null,
  cost_delta_usd: null,
  latency_delta_ms: null,
  quality_delta: null,
  score: null,
  proposed_at: '2026-11-01T00:00:00.000Z',
  shadow_at: '2026-11-02T00:00:00.000Z',
  activated_at: null,
  disabled_at: null,
  created_at: '2026-11-01T00:00:00.000Z',
  ...changes,
})

const score = {
  verdict: 'inconclusive',
  proven: false,
  forced: false,
  alpha: 0.05,
  floor: 0.95,
  evidence: 3,
  freshness_s: 60,
}

test('a score without newer fields is read, and a value that is not a score is ignored', (t) => {
  t.like(readScore({ score }), { evidenceNeeded: 20, blockS: 60, wrongShareUpper: 1, lack: null, rungs: [] })
  t.is(readScore({ score: {} }), null)
  t.is(readScore({ score: null }), null)
  t.like(readScore({ score: { ...score, next: { freshness_s: 600, needs_blocks: 5, needs_s: null } } }), {
    lack: { freshnessS: 600, blocks: 5, timeS: null },
  })
  t.like(readScore({ score: { ...score, next: null, needs: { blocks: 7, s: 90 } } }), {
    lack: { freshnessS: null, blocks: 7, timeS: 90 },
  })
})

test('a rule that serves without a proof is shown as not proven, whatever its evidence', (t) => {
  const word = (state: string, more: object | null): string =>
    judge({ state, score: more === null ? null : { ...score, ...more } }).word
  t.is(word('active', null), 'not proven')
  t.is(word('active', { forced: true, verdict: 'pass' }), 'not proven')
  t.is(word('active', { proven: true }), 'proven')
  t.is(word('shadow', {}), 'not proven yet')
  t.is(word('shadow', { verdict: 'fail' }), 'refuted')
  t.is(word('proposed', null), 'not measured')
  t.is(word('disabled', { last_breach: { at: '', freshness_s: 60, reason: 'wrong_share' } }), 'became wrong')
})

test('only the activation of an unproven rule needs force, and only a move that ends serving needs a reason', (t) => {
  t.true(needsForce(make({ score }), 'active'))
  t.false(needsForce(make({ score: { ...score, proven: true } }), 'active'))
  t.false(needsForce(make(), 'disabled'))
  const asked = states.flatMap((from) =>
    listMoves(from).flatMap((to) => (needsReason(from, to) ? [`${from} ${to}`] : [])),
  )
  t.deepEqual(asked, ['proposed disabled', 'shadow disabled', 'active shadow', 'active disabled'])
  t.deepEqual(listMoves('retired'), [])
})

test('a claim says what is about which input, agent and version', (t) => {
  const say = (decision: Decision, agent: string | null): string => {
    const { before, tool, after } = describeClaim(decision, agent)
    return before + tool + after
  }
  t.is(say(make(), 'writer'), 'rates, called by writer, returns the same result for the same input within 1 h.')
  t.is(say(make({ type: 'suppress_dead' }), null), 'No model uses the result of rates, whichever agent calls it.')
  const one = make({ config: { tool_name: 'rates', tool_version: '2', input_hash: 'sha256:0123456789abcdef' } })
  t.is(describeScope(one, 'writer'), 'writer · input 01234567 · version 2')
  t.deepEqual([10, 60, 600, 86_400, 172_800].map(nameAge), ['10 s', '1 min', '10 min', '24 h', '2 d'])
  t.is(
    servedAge(
      make({ state: 'active', score: { ...score, forced: true } }),
      readScore({ score: { ...score, forced: true } }),
    ),
    3_600,
  )
})

test('the shown reason of a disabled rule depends on who disabled it and on how the text of the gate begins', (t) => {
  const end = (actor: 'gate' | 'user', reason: string | null) =>
    classifyEnding([{ from_state: 'shadow', to_state: 'disabled', actor, reason, at: '' }])
  t.is(end('user', 'failed: I think'), 'person')
  t.is(end('gate', 'failed: 16 of 31 trials right'), 'breach')
  t.is(end('gate', 'inconclusive after 14 days: none'), 'timeout')
  t.is(end('gate', 'the rule costs more than it saves'), 'worth')
  t.is(classifyEnding([]), null)
})

test('a claim that is not known is named by its own words, whatever they are', (t) => {
  t.deepEqual(['suppress_dead', 'new_kind', '__proto__', 'constructor'].map(nameClaim), [
    'Unread results',
    'new kind',
    '  proto  ',
    'constructor',
  ])
})

test('the value of a month is the measured one, else the expected one; unknown values are counted', (t) => {
  const expected = make({ config: { evidence: { expected_monthly_savings: { usd: 5 } } } })
  const measured = make({ state: 'active', score: { ...score, expected_monthly_savings_usd: -1 } })
  t.like(findWorth(expected), { usd: 5, kind: 'expected', basis: { isCurrent: false } })
  t.deepEqual(findWorth(measured), { usd: -1, kind: 'measured', basis: null })
  t.deepEqual(sumWorth([expected, measured, make()]), { usd: 4, kind: 'expected', unknown: 1 })
  t.is(sumWorth([make()]), null)
  const nowMs = Date.parse('2026-11-05T00:00:00Z')
  t.is(medianDays([make(), make({ shadow_at: '2026-11-04T00:00:00Z' })], nowMs), 2)
  t.is(medianDays([], nowMs), null)
})

test('rows are sorted both ways, and those without a value come last in either', (t) => {
  const rows = [null, 2, 1].map((usd) => make({ cost_delta_usd: usd }))
  const costs = (text: Parameters<typeof readSorting>[0]) =>
    sortDecisions(rows, readSorting(text)).map((one) => one.cost_delta_usd)
  t.deepEqual(costs(undefined), [null, 2, 1])
  t.deepEqual(costs('cost_delta_usd'), [1, 2, null])
  t.deepEqual(costs('-cost_delta_usd'), [2, 1, null])
  t.is(pressSort(null, 'state'), 'state')
  t.is(pressSort({ order: 'state', direction: 'ascending' }, 'state'), '-state')
  t.is(pressSort({ order: 'state', direction: 'descending' }, 'state'), null)
})

const at = (seconds: number): string => new Date(1_000_000_000_000 + seconds * 1_000).toISOString()
const point = (seconds: number, evidence: number, trials: number, wrong: number) => ({
  time: at(seconds),
  evidence,
  trials,
  wrong,
})

test('evidence stays as it was until there is more, and wrong ones are counted anew after a breach', (t) => {
  const points = [point(0, 1.5, 10, 1), point(20, 4, 20, 1), point(30, 1, 0, 0), point(40, 1.2, 4, 2)]
  const grid = makeGrid(points.map(({ time }) => Date.parse(time)))
  t.deepEqual([grid.x.length, grid.intervalMs], [5, 10_000])
  t.deepEqual(listEvidence(points, grid), [1.5, 1.5, 4, 1, 1.2])
  t.deepEqual(listWrongShares(points, grid), [0.1, null, 0, null, 0.5])
  t.deepEqual(makeGrid([]).x, [])
  const year = makeGrid([0, 400 * 86_400_000])
  t.true(year.x.length <= 242)
})

test('moves that would overlap share a mark', (t) => {
  const grid = makeGrid([0, 86_400_000])
  const moments = [0, 60_000, 120_000, 40_000_000].map((ms) => ({ ms }))
  t.deepEqual(numberMoments(moments, grid), [
    { ms: 0, label: '1–3' },
    { ms: 40_000_000, label: '4' },
  ])
})

test('wrong trials that would overlap share a tick, which opens the newest one', (t) => {
  const grid = makeGrid([Date.parse(at(0)), Date.parse(at(90))])
  const trial = (seconds: number) => ({ at: at(seconds), trace_id: String(seconds) }) as Schemas['DecisionTrial']
  const ticks = groupTicks([trial(0), trial(5), trial(95), trial(500)], grid, 4)
  t.deepEqual(
    ticks.map(({ place, trials, newest }) => [place, trials, newest.trace_id]),
    [
      [0, 2, '5'],
      [3, 1, '95'],
    ],
  )
  t.deepEqual(groupTicks([trial(0)], grid, 0), [])
})

test('the way to a proof is measured in the logarithm of the evidence', (t) => {
  t.is(shareOfProof(1, 20), 0)
  t.is(shareOfProof(0.2, 20), 0)
  t.is(shareOfProof(400, 20), 1)
  t.true(Math.abs(shareOfProof(Math.sqrt(20), 20) - 0.5) < 1e-9)
})

const rung = (freshness_s: number, evidence: number, needs_blocks: number, needs_s: number | null) => ({
  freshness_s,
  evidence,
  needs_blocks,
  needs_s,
  rung_proven: false,
  trials: 1,
})

test('the text states what is missing for the shown age limit, and for the next one if it is another', (t) => {
  const rungs = [rung(10, 1, 81, null), rung(3_600, 9.4, 18, 230_400)]
  const next = { freshness_s: 10, needs_blocks: 81, needs_s: null }
  const say = (more: object): readonly string[] => {
    const read = readScore({ score: { ...score, rungs, next, ...more } })
    return read === null ? [] : describeNextProof(read)
  }
  t.deepEqual(say({ freshness_s: 3_600 }), [
    'Nothing is served before the proof for results up to 10 s old, the lowest age limit with trials. It takes 81 more periods without a wrong one. There are not yet enough repeated calls within this age limit to estimate the time.',
    'Nearest: the proof for results up to 1 h old takes 18 more periods without a wrong one, about 2d 16h at the rate so far. It counts once all lower ones are proven.',
  ])
  t.deepEqual(say({ freshness_s: 10 }), [
    'Missing: the proof for results up to 10 s old takes 81 more periods without a wrong one. There are not yet enough repeated calls within this age limit to estimate the time.',
  ])
  t.regex(say({ freshness_s: 10, proven: true, next: { ...next, freshness_s: 3_600 } }).join(' '), /^Next: .*1 h old/)
  t.deepEqual(say({ next: null }), [])
})

test('what a rule is expected to save names the calls that it is from: the last count, otherwise the proposal', (t) => {
  const counted = (executions: number, days: number) => ({
    executions,
    observed: { from: at(0), to: at(1), days },
    expected_monthly_savings: { usd: executions },
  })
  const proposed = make({ config: { evidence: counted(16, 6) } })
  const measured = make({ config: { evidence: counted(16, 6) }, score: { ...score, worth: counted(438, 6.02) } })
  const basisOf = (decision: Decision): string => {
    const proposal = readProposal(decision)
    return proposal === null ? '' : describeBasis(proposal)
  }
  t.is(basisOf(proposed), '6 days before the proposal')
  t.is(basisOf(measured), '6.02 days of calls, as last counted')
  t.deepEqual(
    [proposed, measured].map((one) => findWorth(one)?.usd),
    [16, 438],
  )
})

test('a rule that a person sent back to shadow waits for a person', (t) => {
  const move = (from_state: string, actor: string): Transition =>
    ({ from_state, to_state: 'shadow', actor }) as Transition
  t.true(isHeldByPerson(make(), [move('active', 'user'), move('proposed', 'gate')]))
  t.false(isHeldByPerson(make(), [move('active', 'gate'), move('active', 'user')]))
  t.false(isHeldByPerson(make(), [move('disabled', 'user')]))
  t.false(isHeldByPerson(make({ state: 'active' }), [move('active', 'user')]))
  t.is(judge({ state: 'shadow', score: null }).word, 'not evaluated yet')
  t.regex(
    describeMove(make({ state: 'active' }), 'shadow'),
    /continues to be measured, and stays in shadow until a person/,
  )
})

test('a setting that equals the default of the workspace is marked as default', (t) => {
  const config = { tool_name: 'rates', floor: 0.99, freshness_s: 86_400, holdout_rate: 0.05, note: 'why' }
  const defaults = { default_freshness_s: 86_400, holdout_rate: 0.05, floor: 0.95, alpha: 0.05 }
  const read = (usual: typeof defaults | null) =>
    Object.fromEntries(listConfig({ type: 'reuse_identity', config }, usual).map((row) => [row.name, row.isDefault]))
  t.like(read(defaults), {
    Tool: false,
    Floor: false,
    'Age limit of served results': true,
    Holdout: true,
    Version: true,
    note: false,
  })
  t.false('Least sessions' in read(defaults))
  const strict = { default_freshness_s: 3_600, holdout_rate: 0.2, floor: 0.99, alpha: 0.01 }
  t.like(
    read(strict),
    { Floor: true, 'Age limit of served results': false, Holdout: false },
    'the defaults are those of the workspace',
  )
  t.like(
    read(null),
    { Floor: false, 'Age limit of served results': false, Holdout: false, Version: true },
    'not known yet',
  )
})
