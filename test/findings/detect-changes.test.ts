// Findings about tools, models and agents that differ from their previous days.
import test from 'ava'
import { costSpike } from '../../src/findings/detect/cost-spike.ts'
import { errorHotspot } from '../../src/findings/detect/error-hotspot.ts'
import { slowTool } from '../../src/findings/detect/slow-tool.ts'
import { unpricedModel } from '../../src/findings/detect/unpriced-model.ts'
import { agentIdOf, hexId } from '../_kit/events.ts'
import {
  type Draft,
  dayMs,
  hourMs,
  type Looks,
  minuteMs,
  nowMs,
  openLooks,
  repeat,
  type Stored,
  tracesOf,
} from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const lateMs = nowMs - hourMs
const earlyMs = nowMs - 2 * dayMs

/** Returns the calls with the first ones failed. */
const failFirst = (errors: number, drafts: readonly Draft[]): Draft[] =>
  drafts.map((each, at) => (at < errors ? { ...each, status: 'error', errorType: 'timeout' } : each))

test('a tool that fails more than three times as often as before is a hotspot', async (t) => {
  const workspace = await looks.makeWorkspace()
  const tool = { kind: 'tool', tool: 'fetch', providedCostUsd: 0.1 } as const
  await looks.store(workspace, [
    ...failFirst(5, repeat(100, earlyMs, minuteMs, tool)),
    ...failFirst(16, repeat(100, lateMs, 10_000, tool)),
  ])
  await looks.look(workspace, { detector: errorHotspot })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, { type: 'error_hotspot', severity: 'warning', tool_name: 'fetch', model: null, occurrences: 16 })
  t.like(finding?.evidence, { calls: 100, errors: 16, rate: 0.16, baseline_rate: 0.05, error_types: ['timeout'] })
  t.is(tracesOf(finding).length, 10)
  t.is(finding?.last_seen.getTime(), lateMs - 84 * 10_000)
  // The errors beyond the earlier rate, over the time since the full hour 24 hours ago.
  const sinceMs = nowMs - (Math.floor(nowMs / hourMs) * hourMs - dayMs)
  const expected = (16 * (1 - 0.05 / 0.16) * 0.1 * 30 * dayMs) / sinceMs
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - expected) < 1e-5)
  await looks.look(workspace, { detector: errorHotspot, nowMs: nowMs + 26 * hourMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('a tool call that several spans report is one call, for failures and for durations', async (t) => {
  const workspace = await looks.makeWorkspace()
  const told = (drafts: readonly Draft[]): Draft[] =>
    drafts.flatMap((each) => [
      each,
      { ...each, counted: false, ...(each.status === 'error' ? { flags: ['error_carried'] } : {}) },
    ])
  const tool = { kind: 'tool', tool: 'fetch', durationUs: 200_000 } as const
  await looks.store(workspace, [
    ...told(repeat(100, earlyMs, minuteMs, tool)),
    ...told(failFirst(30, repeat(50, lateMs, 10_000, { ...tool, durationUs: 900_000 }))),
  ])
  await looks.look(workspace, { detector: errorHotspot })
  await looks.look(workspace, { detector: slowTool })
  const findings = await looks.list(workspace)
  const of = (type: string): Stored | undefined => findings.find((one) => one.type === type)
  t.like(of('error_hotspot')?.evidence, { calls: 50, errors: 30, rate: 0.6 })
  t.like(of('slow_tool')?.evidence, { calls: 50 })
})

test('a model may be a hotspot, and half of its calls failing is critical', async (t) => {
  const workspace = await looks.makeWorkspace()
  const model = { kind: 'llm', model: 'gpt-4o' } as const
  await looks.store(workspace, [
    ...repeat(100, earlyMs, minuteMs, model),
    ...failFirst(25, repeat(50, lateMs, 10_000, model)),
  ])
  await looks.look(workspace, { detector: errorHotspot })
  t.like((await looks.list(workspace))[0], {
    severity: 'critical',
    model: 'gpt-4o',
    tool_name: null,
    est_monthly_cost_usd: null,
  })
})

test('three times the baseline, few errors, few calls, a share below three in a hundred, and nothing before are no hotspot', async (t) => {
  const workspace = await looks.makeWorkspace()
  const tool = (name: string) => ({ kind: 'tool', tool: name }) as const
  await looks.store(workspace, [
    ...failFirst(5, repeat(100, earlyMs, minuteMs, tool('three times'))),
    ...failFirst(15, repeat(100, lateMs, 10_000, tool('three times'))),
    ...repeat(100, earlyMs, minuteMs, tool('few errors')),
    ...failFirst(9, repeat(100, lateMs, 10_000, tool('few errors'))),
    ...repeat(100, earlyMs, minuteMs, tool('few calls')),
    ...failFirst(40, repeat(49, lateMs, 10_000, tool('few calls'))),
    ...repeat(100, earlyMs, minuteMs, tool('seldom')),
    ...failFirst(12, repeat(400, lateMs, 1_000, tool('seldom'))),
    ...repeat(99, earlyMs, minuteMs, tool('new')),
    ...failFirst(90, repeat(100, lateMs, 10_000, tool('new'))),
  ])
  await looks.look(workspace, { detector: errorHotspot })
  t.deepEqual(await looks.list(workspace), [])
})

test('a tool whose p95 is over three times that of its days before is slow', async (t) => {
  const workspace = await looks.makeWorkspace()
  const tool = { kind: 'tool', tool: 'fetch' } as const
  await looks.store(workspace, [
    ...repeat(100, earlyMs, minuteMs, { ...tool, durationUs: 200_000 }),
    ...repeat(90, lateMs - hourMs, 10_000, { ...tool, durationUs: 200_000 }),
    ...repeat(10, lateMs, 10_000, { ...tool, durationUs: 700_000 }),
  ])
  await looks.look(workspace, { detector: slowTool })
  const [finding] = await looks.list(workspace)
  t.like(finding, { type: 'slow_tool', severity: 'warning', tool_name: 'fetch', est_monthly_cost_usd: null })
  t.true(Math.abs((finding?.evidence['p95_ms'] as number) - 700) < 8)
  t.true(Math.abs((finding?.evidence['baseline_p95_ms'] as number) - 200) < 3)
  t.is(finding?.last_seen.getTime(), lateMs)
  t.is(tracesOf(finding).length, 10)
  await looks.look(workspace, { detector: slowTool, nowMs: nowMs + 25 * hourMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('less than three times as slow, tenths of a second, few calls, and what was served before make no tool slow', async (t) => {
  const workspace = await looks.makeWorkspace()
  const tool = (name: string) => ({ kind: 'tool', tool: name }) as const
  await looks.store(workspace, [
    ...repeat(100, earlyMs, minuteMs, { ...tool('not yet'), durationUs: 200_000 }),
    ...repeat(100, lateMs, 10_000, { ...tool('not yet'), durationUs: 580_000 }),
    ...repeat(100, earlyMs, minuteMs, { ...tool('quick'), durationUs: 1_000 }),
    ...repeat(100, lateMs, 10_000, { ...tool('quick'), durationUs: 90_000 }),
    ...repeat(100, earlyMs, minuteMs, { ...tool('few'), durationUs: 1_000 }),
    ...repeat(49, lateMs, 10_000, { ...tool('few'), durationUs: 9_000_000 }),
    // A rule that has ended: real calls take as long as before.
    ...repeat(150, earlyMs, minuteMs, { ...tool('served'), durationUs: 900_000 }),
    ...repeat(3_000, earlyMs, 1_000, { ...tool('served'), durationUs: 5_000, served: true }),
    ...repeat(100, lateMs, 10_000, { ...tool('served'), durationUs: 900_000 }),
  ])
  await looks.look(workspace, { detector: slowTool })
  t.deepEqual(await looks.list(workspace), [])
})

/** One call a day at noon, up to `daysAgo` days ago. */
const daily = (costUsd: number, days: number, daysAgo: number, more: Partial<Draft> = {}): Draft[] =>
  repeat(days, Math.floor(nowMs / dayMs) * dayMs + dayMs / 2 - daysAgo * dayMs, dayMs, {
    kind: 'llm',
    model: 'gpt-4o',
    agent: 'coder',
    costUsd,
    ...more,
  })

test('a day that costs an agent more than three times its median day is a spike', async (t) => {
  const workspace = await looks.makeWorkspace()
  const dear = { trace: hexId(91, 32) }
  await looks.store(workspace, [...daily(2, 10, 2), ...daily(7, 1, 1, dear), ...daily(2, 1, 0)])
  await looks.look(workspace, { detector: costSpike })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, {
    type: 'cost_spike',
    severity: 'warning',
    agent_id: agentIdOf(workspace, 'coder'),
    occurrences: 1,
    first_seen: new Date('2026-03-09T00:00:00Z'),
    last_seen: new Date('2026-03-09T12:00:00Z'),
  })
  // Six days, and today until now.
  const days = 6 + (nowMs % dayMs) / dayMs
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - (5 * 30) / days) < 1e-5)
  t.deepEqual(finding?.evidence['trace_ids'], [hexId(91, 32)])
  t.deepEqual(finding?.evidence['days'], [{ day: '2026-03-09', cost_usd: 7, median_usd: 2 }])
  await looks.look(workspace, { detector: costSpike, nowMs: nowMs + 7 * dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('a day with ten times the median cost is critical; today counts up to now', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [...daily(2, 5, 1), ...daily(21, 1, 0)])
  await looks.look(workspace, { detector: costSpike })
  t.is((await looks.list(workspace))[0]?.severity, 'critical')
})

test('three times the median, cents, four days before, and a spike of last week are no spike', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...daily(2, 10, 2, { agent: 'thrice' }),
    ...daily(6, 1, 1, { agent: 'thrice' }),
    ...daily(0.1, 10, 2, { agent: 'cents' }),
    ...daily(1, 1, 1, { agent: 'cents' }),
    ...daily(2, 4, 2, { agent: 'new' }),
    ...daily(90, 1, 1, { agent: 'new' }),
    ...daily(2, 10, 8, { agent: 'past' }),
    ...daily(90, 1, 7, { agent: 'past' }),
  ])
  await looks.look(workspace, { detector: costSpike })
  t.deepEqual(await looks.list(workspace), [])
})

test('a model without a price is a finding, with its share of the calls', async (t) => {
  const workspace = await looks.makeWorkspace()
  const unpriced = { kind: 'llm', model: 'house-model', input: 10 } as const
  await looks.store(workspace, [
    ...repeat(4, nowMs - 5 * dayMs, minuteMs, unpriced),
    ...repeat(1, lateMs, minuteMs, unpriced),
    ...repeat(46, lateMs, minuteMs, { kind: 'llm', model: 'gpt-4o', input: 10, costUsd: 0.1 }),
  ])
  await looks.look(workspace, { detector: unpricedModel })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, {
    type: 'unpriced_model',
    severity: 'info',
    model: 'house-model',
    occurrences: 5,
    est_monthly_cost_usd: null,
  })
  t.true(Math.abs((finding?.evidence['share_of_calls'] as number) - 5 / 51) < 1e-9)
  t.is(tracesOf(finding).length, 5)
  await looks.look(workspace, { detector: unpricedModel, nowMs: nowMs + 8 * dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('four calls without a price, and calls without tokens, are no finding; a tenth of all calls is a warning', async (t) => {
  const workspace = await looks.makeWorkspace()
  const unpriced = { kind: 'llm', model: null, input: 10 } as const
  await looks.store(workspace, [
    ...repeat(4, lateMs, minuteMs, unpriced),
    ...repeat(30, lateMs, minuteMs, { kind: 'llm', model: 'silent' }),
    ...repeat(16, lateMs, minuteMs, { kind: 'llm', model: 'gpt-4o', input: 10, costUsd: 0.1 }),
  ])
  await looks.look(workspace, { detector: unpricedModel })
  t.deepEqual(await looks.list(workspace), [])
  await looks.store(workspace, repeat(2, lateMs, minuteMs, unpriced))
  await looks.look(workspace, { detector: unpricedModel })
  t.like((await looks.list(workspace))[0], { severity: 'warning', model: null, occurrences: 6 })
})
