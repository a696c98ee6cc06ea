import test from 'ava'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../../_kit/events.ts'
import { makeRandom } from '../../_kit/random.ts'
import { openReads, type Reads } from '../../_kit/reads.ts'
import { addDecision } from '../../_kit/workspace.ts'

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

type Sums = Record<
  | 'gross_usd'
  | 'holdout_cost_usd'
  | 'cache_loss_usd'
  | 'wrong_cost_usd'
  | 'net_usd'
  | 'latency_saved_ms'
  | 'served_calls'
  | 'holdout_calls',
  number
>
type Savings = Sums & {
  decisions: (Sums & { decision_id: string })[]
  points: (Sums & { time: string })[]
  interval_s: number
}
type Rule = { id: string; inputHash: string | null; agent: string | null }

const fromMs = Date.parse('2026-03-01T00:00:00Z')
const dayMs = 86_400_000
const window = { from_time: '2026-03-02T00:00:00Z', to_time: '2026-03-03T12:00:00Z', interval: '6h' }
const startOf = (seed: EventSeed): number => Date.parse(seed.start)
const isInside = (seed: EventSeed): boolean =>
  startOf(seed) >= Date.parse(window.from_time) && startOf(seed) < Date.parse(window.to_time)

async function makeRules(workspace: string): Promise<Rule[]> {
  const pair = { inputHash: 'one', agentId: null }
  const narrow = { inputHash: 'two', agentId: agentIdOf(workspace, 'a') }
  const whole = { type: 'suppress_dead', inputHash: null, agentId: null, state: 'disabled' as const }
  const add = async (options: Parameters<typeof addDecision>[2]): Promise<string> =>
    await addDecision(reads.db.query, workspace, options)
  return [
    { id: await add(pair), inputHash: 'one', agent: null },
    { id: await add(narrow), inputHash: 'two', agent: 'a' },
    { id: await add(whole), inputHash: null, agent: null },
  ]
}

/** Runs of the tool: real, held-out and served ones, some without a reported cost or duration. */
function makeRuns(rules: readonly Rule[], count: number): EventSeed[] {
  const random = makeRandom(7)
  return Array.from({ length: count }, (_, nth): EventSeed => {
    const rule = random.chance(0.6) ? random.pick(rules) : undefined
    const served = rule !== undefined && random.chance(0.8)
    const isUntold = random.chance(0.2)
    return {
      start: new Date(fromMs + random.int(4 * dayMs)).toISOString(),
      trace: hexId(nth + 1, 32),
      span: hexId(nth + 1, 16),
      kind: 'tool',
      tool: 'search',
      agent: random.chance(0.5) ? 'a' : 'b',
      inputHash: served ? null : random.chance(0.5) ? 'one' : 'two',
      attested: !served,
      status: random.chance(0.1) ? 'error' : 'ok',
      served,
      holdout: rule !== undefined && !served,
      decisionId: rule?.id ?? null,
      durationUs: isUntold ? null : random.int(served ? 50_000 : 900_000),
      providedCostUsd: served || random.chance(0.3) ? null : random.int(1_000) / 10_000,
    }
  })
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** Computes the same sums in plain code; money in USD, without losses by caches or wrong results. */
function sumByHand(rules: readonly Rule[], runs: readonly EventSeed[], holds: (run: EventSeed) => boolean): Sums {
  const sums = { gross_usd: 0, holdout_cost_usd: 0, latency_saved_ms: 0, served_calls: 0, holdout_calls: 0 }
  for (const rule of rules) {
    const lastMs = Math.max(...runs.filter((run) => run.decisionId === rule.id && isInside(run)).map(startOf))
    const real = runs
      .filter((run) => run.served !== true && run.status !== 'error' && startOf(run) <= lastMs)
      .filter((run) => rule.inputHash === null || run.inputHash === rule.inputHash)
      .filter((run) => rule.agent === null || run.agent === rule.agent)
      .toSorted((a, b) => startOf(b) - startOf(a))
      .slice(0, 1_000)
    const costs = real.flatMap((run) => run.providedCostUsd ?? [])
    const costUsd = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
    const realMs = median(real.flatMap((run) => run.durationUs ?? [])) ?? 0
    for (const run of runs.filter((one) => one.decisionId === rule.id && isInside(one) && holds(one))) {
      if (run.served === true) {
        sums.served_calls += 1
        sums.gross_usd += costUsd
        sums.latency_saved_ms += (realMs - (run.durationUs ?? 25_000)) / 1_000
      } else {
        sums.holdout_calls += 1
        sums.holdout_cost_usd += run.providedCostUsd ?? costUsd
      }
    }
  }
  return { ...sums, cache_loss_usd: 0, wrong_cost_usd: 0, net_usd: sums.gross_usd }
}

const isClose = (a: Sums, b: Sums): boolean =>
  (Object.keys(b) as (keyof Sums)[]).every((key) => Math.abs(a[key] - b[key]) <= 1e-6 * Math.max(1, Math.abs(b[key])))

test('savings equal the sums over the same events by plain code: in all, for each decision, for each bucket', async (t) => {
  const workspace = await reads.makeWorkspace()
  const rules = await makeRules(workspace)
  const runs = makeRuns(rules, 2_000)
  await storeEvents(reads.db.query, workspace, runs)
  const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
  const same = (name: string, got: Sums, expected: Sums): boolean =>
    t.true(isClose(got, expected), `${name}: ${JSON.stringify([got, expected])}`)

  same(
    'all',
    body,
    sumByHand(rules, runs, () => true),
  )
  t.true(body.served_calls > 200 && body.holdout_calls > 50 && body.net_usd !== 0)
  t.is(body.decisions.length, 3)
  for (const rule of rules) {
    const own = body.decisions.find((one) => one.decision_id === rule.id) as Sums
    same(
      'a decision',
      own,
      sumByHand([rule], runs, () => true),
    )
    const narrowed = await reads.get<Savings>(workspace, 'stats/savings', { ...window, decision_id: rule.id })
    same(
      'narrowed',
      narrowed.body,
      sumByHand([rule], runs, () => true),
    )
  }
  t.is(body.points.length, 6)
  t.is(body.interval_s, 21_600)
  for (const point of body.points) {
    const startMs = Date.parse(point.time)
    const isIn = (run: EventSeed): boolean => startOf(run) >= startMs && startOf(run) < startMs + 21_600_000
    same(point.time, point, sumByHand(rules, runs, isIn))
  }
})

test('without served calls nothing is saved, and the bucket shows it', async (t) => {
  const workspace = await reads.makeWorkspace()
  const { status, body } = await reads.get<Savings>(workspace, 'stats/savings', window)
  t.is(status, 200)
  t.deepEqual(body.decisions, [])
  t.deepEqual(
    body.points.map(({ served_calls, net_usd }) => [served_calls, net_usd]),
    Array.from({ length: 6 }, () => [0, 0]),
  )
})

/** The rules whose real calls each branch of a statement reads, and what these calls are like. */
const shapes: readonly { inputHash: string | null; more: Partial<EventSeed> }[] = [
  { inputHash: null, more: { attested: true } },
  { inputHash: null, more: { attestedUnread: true } },
  { inputHash: 'one', more: {} },
]

test('a rule whose tool is cheap and whose served results break caches costs money, and the sign says so', async (t) => {
  for (const { inputHash, more } of shapes) {
    const workspace = await reads.makeWorkspace()
    const id = await addDecision(reads.db.query, workspace, { inputHash })
    const turn = (nth: number, served: boolean): EventSeed[] => {
      const trace = hexId(nth + 1, 32)
      const start = (seconds: number): string =>
        new Date(Date.parse(window.from_time) + nth * 60_000 + seconds * 1_000).toISOString()
      const run: EventSeed = {
        start: start(0),
        trace,
        span: hexId(2 * nth + 1, 16),
        kind: 'tool',
        tool: 'search',
        callId: `call ${nth}`,
        served,
        ...(served ? { decisionId: id } : { inputHash: 'one', providedCostUsd: 0.001, ...more }),
      }
      // A real result is found in the cache, a served one is not.
      const call: EventSeed = {
        start: start(1),
        trace,
        span: hexId(2 * nth + 2, 16),
        model: 'gpt-4o',
        consumed: [`call ${nth}`],
        input: 10_000,
        cached: served ? 0 : 8_000,
        savingsUsd: served ? 0 : 0.01,
      }
      return [run, call]
    }
    // Other versions of the tool are dear, and their results are never found in the cache.
    const others = ['1', '2'].flatMap((toolVersion, nth) =>
      Array.from({ length: 20 }, (_, at) => {
        const [run, call] = turn(20 + 20 * nth + at, false) as [EventSeed, EventSeed]
        const start = (seconds: number) =>
          new Date(Date.parse(window.from_time) + at * 60_000 + seconds * 1_000).toISOString()
        return [
          { ...run, start: start(2), toolVersion, providedCostUsd: 3 },
          { ...call, start: start(3), cached: 0, savingsUsd: 0 },
        ]
      }).flat(),
    )
    const own = Array.from({ length: 20 }, (_, nth) => turn(nth, nth % 2 === 0)).flat()
    // The rule has ended.
    const later = Array.from({ length: 20 }, (_, at) => {
      const [run, call] = turn(60 + at, false) as [EventSeed, EventSeed]
      return [
        { ...run, providedCostUsd: 3 },
        { ...call, cached: 0, savingsUsd: 0 },
      ]
    }).flat()
    await storeEvents(reads.db.query, workspace, [...own, ...others, ...later])
    const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
    const { gross_usd, holdout_cost_usd, cache_loss_usd, net_usd, served_calls } = body
    t.deepEqual(
      { gross_usd, holdout_cost_usd, cache_loss_usd, net_usd, served_calls },
      { gross_usd: 0.01, holdout_cost_usd: 0, cache_loss_usd: 0.1, net_usd: -0.09, served_calls: 10 },
    )
    t.is(body.points[0]?.net_usd, -0.09)
  }
})

test('calls that name a decision of another workspace save nothing', async (t) => {
  const [workspace, other] = [await reads.makeWorkspace(), await reads.makeWorkspace()]
  const [foreign] = await makeRules(other)
  const run = makeRuns([foreign as Rule], 300)
  await storeEvents(reads.db.query, workspace, run)
  const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
  t.is(body.served_calls, 0)
})

test('an interval that cuts the window too finely is refused', async (t) => {
  const workspace = await reads.makeWorkspace()
  const wide = { from_time: '2026-01-01T00:00:00Z', to_time: '2026-02-01T00:00:00Z', interval: '1m' }
  t.is((await reads.get(workspace, 'stats/savings', wide)).status, 422)
})

/** Real calls of two inputs before the window, then served and held-out calls of a rule in it: $0.50 for "dear", $0.01 for "cheap". */
async function makeBill(
  workspace: string,
  wrongShare: number | null,
): Promise<{ withoutUsd: number; withUsd: number }> {
  const id = await addDecision(reads.db.query, workspace, { inputHash: null })
  if (wrongShare !== null) {
    const score = { wrong_share: wrongShare }
    await reads.db.query('update decisions set score = $2 where id = $1', [id, score])
  }
  const priceOf = { dear: 0.5, cheap: 0.01 }
  let made = 0
  const call = (input: 'dear' | 'cheap', startMs: number, more: Partial<EventSeed>): EventSeed => {
    made += 1
    const ids = { trace: hexId(made, 32), span: hexId(made, 16) }
    return { start: new Date(startMs).toISOString(), ...ids, kind: 'tool', tool: 'search', inputHash: input, ...more }
  }
  const real = (input: 'dear' | 'cheap', startMs: number, more: Partial<EventSeed> = {}): EventSeed =>
    call(input, startMs, { attested: true, providedCostUsd: priceOf[input], ...more })
  const before = Date.parse(window.from_time) - dayMs
  const seeds: EventSeed[] = Array.from({ length: 90 }, (_, at) =>
    real(at < 5 ? 'dear' : 'cheap', before + at * 60_000),
  )
  let [withoutUsd, withUsd] = [0, 0]
  for (let at = 0; at < 200; at++) {
    const input = at % 4 === 0 ? 'dear' : 'cheap'
    const startMs = Date.parse(window.from_time) + at * 600_000
    withoutUsd += priceOf[input]
    if (at % 20 === 0) {
      withUsd += priceOf[input]
      seeds.push(real(input, startMs, { holdout: true, decisionId: id }))
    } else {
      seeds.push(call(input, startMs, { served: true, decisionId: id }))
    }
  }
  await storeEvents(reads.db.query, workspace, seeds)
  return { withoutUsd, withUsd }
}

test('the reported saving equals the fall of the bill, whatever the held-out calls cost', async (t) => {
  const workspace = await reads.makeWorkspace()
  const { withoutUsd, withUsd } = await makeBill(workspace, null)
  const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
  t.true(Math.abs(withUsd - 5) < 1e-9 && body.served_calls === 190 && body.holdout_calls === 10)
  t.true(Math.abs(body.net_usd - (withoutUsd - withUsd)) < 1e-6, `${body.net_usd} for ${withoutUsd - withUsd}`)
  t.true(Math.abs(body.holdout_cost_usd - withUsd) < 1e-6)
  t.is(body.wrong_cost_usd, 0)
})

test('wrong results are subtracted by their share: in the total, for the decision, and in every bucket', async (t) => {
  const workspace = await reads.makeWorkspace()
  const { withoutUsd, withUsd } = await makeBill(workspace, 0.1)
  const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
  const fallUsd = withoutUsd - withUsd
  t.true(Math.abs(body.net_usd - 0.9 * fallUsd) < 1e-6)
  t.true(Math.abs(body.wrong_cost_usd - 0.1 * fallUsd) < 1e-6)
  t.is(body.decisions[0]?.wrong_cost_usd, body.wrong_cost_usd)
  const sum = (read: (point: Sums) => number): number => body.points.reduce((total, point) => total + read(point), 0)
  t.true(Math.abs(sum((point) => point.wrong_cost_usd) - body.wrong_cost_usd) < 1e-6)
  t.true(Math.abs(sum((point) => point.net_usd) - body.net_usd) < 1e-6)
})

test('a served call is priced by the real calls of its version of the tool that ran before the last served one', async (t) => {
  for (const { inputHash, more } of shapes) {
    for (const toolVersion of ['2', null]) {
      const workspace = await reads.makeWorkspace()
      const id = await addDecision(reads.db.query, workspace, { inputHash, toolVersion })
      let made = 0
      const run = (minute: number, own: Partial<EventSeed>): EventSeed => {
        made += 1
        const start = new Date(Date.parse(window.from_time) + minute * 60_000).toISOString()
        const ids = { trace: hexId(made, 32), span: hexId(made, 16) }
        return { start, ...ids, kind: 'tool', tool: 'search', inputHash: 'one', ...more, ...own }
      }
      await storeEvents(reads.db.query, workspace, [
        ...Array.from({ length: 5 }, (_, at) => run(at, { toolVersion, providedCostUsd: 0.5, durationUs: 70_000 })),
        ...Array.from({ length: 50 }, (_, at) =>
          run(10 + at / 50, { toolVersion: '1', providedCostUsd: 0.01, durationUs: 9_000_000 }),
        ),
        ...[20, 21].map((minute) => run(minute, { toolVersion, served: true, decisionId: id, durationUs: 10_000 })),
        // The rule has ended.
        ...Array.from({ length: 50 }, (_, at) =>
          run(30 + at, { toolVersion, providedCostUsd: 0.02, durationUs: 8_000_000 }),
        ),
      ])
      const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
      const { gross_usd, latency_saved_ms, served_calls } = body
      t.deepEqual(
        { gross_usd, latency_saved_ms, served_calls },
        { gross_usd: 1, latency_saved_ms: 120, served_calls: 2 },
      )
    }
  }
})

test('wrong results are subtracted by the share of the phase in which they were served, whatever later phases show', async (t) => {
  const workspace = await reads.makeWorkspace()
  await makeBill(workspace, 0.1)
  const [rule] = await reads.db.query<{ id: string }>('select id from decisions where workspace_id = $1', [workspace])
  const move = async (from: string, to: string, atMs: number, score: object | null): Promise<void> => {
    await reads.db.query(
      `insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, measures, at)
       values (gen_random_uuid(), $1, $2, $3, $4, 'gate', $5, $6)`,
      [workspace, rule?.id, from, to, score === null ? null : { score, phase: from }, new Date(atMs)],
    )
  }
  const fromMs = Date.parse(window.from_time)
  const halfMs = fromMs + 18 * 3_600_000
  await move('proposed', 'shadow', fromMs - 2 * dayMs, null)
  // The first served call is of a minute before, by the clock of its sender.
  await move('shadow', 'active', fromMs + 11 * 60_000, { wrong_share: 0.03 })
  // The age limit that it serves at changes, and the rule stays active.
  await move('active', 'active', fromMs + 3_600_000, { wrong_share: 0.07 })
  await move('active', 'disabled', halfMs - 60_000, { wrong_share: 0.2 })
  await move('disabled', 'shadow', halfMs - 50_000, null)
  await move('shadow', 'active', halfMs, { wrong_share: 0 })
  const read = async (): Promise<Savings> => (await reads.get<Savings>(workspace, 'stats/savings', window)).body
  const inHalf = (body: Savings, isFirst: boolean): number =>
    body.points
      .filter(({ time }) => Date.parse(time) < halfMs === isFirst)
      .reduce((sum, point) => sum + point.wrong_cost_usd / point.gross_usd, 0) / 3
  const active = await read()
  t.true(Math.abs(inHalf(active, true) - 0.2) < 1e-6 && Math.abs(inHalf(active, false) - 0.1) < 1e-6)
  t.true(Math.abs(active.points.reduce((sum, point) => sum + point.wrong_cost_usd, 0) - active.wrong_cost_usd) < 1e-6)
  t.is(active.decisions[0]?.wrong_cost_usd, active.wrong_cost_usd)

  // A user ends it. In shadow it is measured anew, and would now be right.
  await move('active', 'shadow', fromMs + 3 * dayMs, { wrong_share: 0.1 })
  await reads.db.query('update decisions set state = $2, score = $3 where id = $1', [
    rule?.id,
    'shadow',
    { wrong_share: 0 },
  ])
  t.deepEqual({ ...(await read()), decisions: [] }, { ...active, decisions: [] })
})

test('a new activation has no wrong results until it is measured, whatever its shadow showed', async (t) => {
  const workspace = await reads.makeWorkspace()
  await makeBill(workspace, 0.3)
  const measureAt = async (measuredAt: Date): Promise<Savings> => {
    await reads.db.query(
      "update decisions set state = 'active', activated_at = $2, measured_at = $3 where workspace_id = $1",
      [workspace, window.from_time, measuredAt],
    )
    return (await reads.get<Savings>(workspace, 'stats/savings', window)).body
  }
  const before = await measureAt(new Date(Date.parse(window.from_time) - 1_000))
  t.is(before.wrong_cost_usd, 0)
  const after = await measureAt(new Date(Date.parse(window.from_time) + 1_000))
  t.true(Math.abs(after.wrong_cost_usd - 0.3 * after.gross_usd) < 1e-6 && after.gross_usd > 0)
})

test('an activation that was never measured has no wrong results; one without measures in the audit trail has the present share', async (t) => {
  for (const [measures, share] of [
    [{ score: null, phase: 'active' }, 0],
    [null, 0.3],
  ] as const) {
    const workspace = await reads.makeWorkspace()
    await makeBill(workspace, 0.3)
    await reads.db.query(
      `insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, measures, at)
       select gen_random_uuid(), $1, d.id, s.from_state, s.to_state, 'user', s.measures, s.at
       from decisions d, (values ('shadow', 'active', null, $2::timestamptz), ('active', 'shadow', $3::jsonb, $4))
         s(from_state, to_state, measures, at)
       where d.workspace_id = $1`,
      [workspace, window.from_time, measures, window.to_time],
    )
    const { body } = await reads.get<Savings>(workspace, 'stats/savings', window)
    t.true(Math.abs(body.wrong_cost_usd - share * body.gross_usd) < 1e-6 && body.gross_usd > 0)
  }
})
