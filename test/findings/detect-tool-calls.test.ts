// Findings about calls of tools: repeats, what attesting would save, unread results, loops of failures.
import test from 'ava'
import { deadToolResult } from '../../src/findings/detect/dead-tool-result.ts'
import { repeatedToolCall } from '../../src/findings/detect/repeated-tool-call.ts'
import { retryLoop } from '../../src/findings/detect/retry-loop.ts'
import { unattestedRepeat } from '../../src/findings/detect/unattested-repeat.ts'
import type { Detector } from '../../src/findings/detector.ts'
import { agentIdOf, hexId } from '../_kit/events.ts'
import { addDecision } from '../_kit/workspace.ts'
import { consumedResults, type Draft, dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const search = { kind: 'tool', tool: 'search', inputHash: 'same', agent: 'coder' } as const

test('an agent that repeats the input of a tool within minutes is a finding, with its cost', async (t) => {
  const workspace = await looks.makeWorkspace()
  const lastMs = nowMs - hourMs
  await looks.store(workspace, [
    { ...search, inputHash: 'other', atMs: nowMs - 2 * dayMs },
    ...repeat(4, lastMs, 9 * minuteMs, { ...search, providedCostUsd: 0.5, durationUs: 2_000_000 }),
  ])
  await looks.look(workspace, { detector: repeatedToolCall })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, {
    type: 'repeated_tool_call',
    status: 'open',
    // 3 repeats of $0.50 in two days, 5 % held out, for 30 days.
    est_monthly_cost_usd: 21.375,
    severity: 'warning',
    occurrences: 3,
    agent_id: agentIdOf(workspace, 'coder'),
    tool_name: 'search',
    model: null,
    first_seen: new Date(lastMs - 18 * minuteMs),
    last_seen: new Date(lastMs),
  })
  t.like(finding?.evidence, {
    remedy: 'attest',
    repeats: 3,
    inputs: 1,
    most_repeated_input_hashes: ['same'],
    waited_ms: 6_000,
  })
  t.regex(finding?.title ?? '', /“coder” repeated 3 calls of “search” in the last 24 hours$/)
  t.regex(finding?.detail ?? '', /About \$21\.38 a month, from \$1\.4[23] in the last 2 days: the mean cost of a call/)
  t.deepEqual(finding?.evidence['observed'], {
    from: new Date(nowMs - 2 * dayMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    days: 2,
  })
})

test('evidence of less than 24 hours has its observed cost and no monthly estimate', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(5, nowMs - minuteMs, 9 * minuteMs, { ...search, providedCostUsd: 0.5 }))
  await looks.look(workspace, { detector: repeatedToolCall })
  const [finding] = await looks.list(workspace)
  t.is(finding?.est_monthly_cost_usd, null)
  t.regex(
    finding?.detail ?? '',
    /Cost: \$1\.90 in the last 37 minutes \(.+\)\. A monthly estimate needs at least 24 hours of data\./,
  )
})

test('a finding whose cost another one contains names that one; one about calls that need not be attested does not', async (t) => {
  const workspace = await looks.makeWorkspace()
  const calls = { ...search, providedCostUsd: 0.5 }
  await looks.store(workspace, [
    ...repeat(20, nowMs - hourMs, minuteMs, calls),
    ...repeat(20, nowMs - hourMs, minuteMs, { ...calls, tool: 'send_mail' }),
  ])
  await looks.look(workspace)
  const findings = await looks.list(workspace)
  const of = (type: string, tool: string) => findings.find((one) => one.type === type && one.tool_name === tool)
  const whole = of('unattested_repeat', 'search')
  const part = of('repeated_tool_call', 'search')
  t.like(part?.evidence['price'], { contained_in: { type: 'unattested_repeat', title: whole?.title } })
  t.true(part?.detail.endsWith(`The finding “${whole?.title}” contains this cost: do not add the two.`))
  t.notRegex(JSON.stringify([whole, of('repeated_tool_call', 'send_mail')]), /contained_in/)
  await looks.look(workspace, { detector: repeatedToolCall })
  t.deepEqual(await looks.list(workspace), findings, 'a pass that does not look for the latter names it as well')
})

for (const tool of ['send_mail', 'post_review', 'run_tests', 'get_or_create_user']) {
  test(`the finding does not advise to attest or cache “${tool}”, but asks whether its repeats are intended`, async (t) => {
    const workspace = await looks.makeWorkspace()
    const calls = { ...search, tool, providedCostUsd: 0.5 }
    await looks.store(workspace, [
      ...repeat(106, nowMs - hourMs, minuteMs, calls),
      ...consumedResults(tool, 30, 0, { inputHash: 'same', agent: 'other' }),
    ])
    for (const detector of [repeatedToolCall, unattestedRepeat, deadToolResult])
      await looks.look(workspace, { detector })
    const findings = await looks.list(workspace)
    t.deepEqual(findings.map(({ type, agent_id: id }) => `${type} ${id === agentIdOf(workspace, 'coder')}`).sort(), [
      'dead_tool_result false',
      'repeated_tool_call false',
      'repeated_tool_call true',
    ])
    for (const { title, detail, evidence } of findings)
      t.notRegex(`${title} ${detail} ${JSON.stringify(evidence)}`, /attest|cach/i)
    t.deepEqual(new Set(findings.map(({ evidence }) => evidence['remedy'])), new Set(['review']))
    const own = findings.find(({ agent_id: id }) => id === agentIdOf(workspace, 'coder'))
    t.is(own?.title, `“coder” repeated 105 calls of “${tool}” in the last 24 hours: is this intended?`)
    t.is(own?.occurrences, 105)
    t.like(own?.evidence, { repeats: 105, looked_at: { hours: 24, is_sample: false } })
    t.is(own?.decision_id, null)
  })
}

test('groups of calls that are hours apart count their repeats only', async (t) => {
  const workspace = await looks.makeWorkspace()
  const calls = { ...search, tool: 'send_mail' }
  const starts = [1, 5, 9, 13].map((hours) => nowMs - hours * hourMs)
  await looks.store(
    workspace,
    starts.flatMap((startMs) => repeat(2, startMs, 5 * minuteMs, calls)),
  )
  await looks.look(workspace, { detector: repeatedToolCall })
  const [finding] = await looks.list(workspace)
  t.is(finding?.title, '“coder” repeated 4 calls of “send_mail” in the last 24 hours: is this intended?')
  t.regex(
    finding?.detail ?? '',
    /called “send_mail” 4 times with an input that it had already used in the ten minutes before \(1 distinct input\), and waited /,
  )
  t.is(finding?.occurrences, 4)
})

test('an attested tool is not advised to be attested', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(9, nowMs - hourMs, minuteMs, { ...search, tool: 'rates', attested: true }))
  await looks.look(workspace, { detector: repeatedToolCall })
  const [finding] = await looks.list(workspace)
  t.regex(finding?.detail ?? '', /The tool is attested: once a rule is proven, it serves the result/)
  t.notRegex(finding?.detail ?? '', /attest the tool/)
  t.is(finding?.evidence['remedy'], 'rule')
})

test('a finding promises nothing of a tool whose rule was disabled as wrong, until there is another rule', async (t) => {
  const workspace = await looks.makeWorkspace()
  const calls = { ...search, attested: true, providedCostUsd: 0.5 }
  const attested = { attested: true, attestedUnread: true } as const
  await looks.store(workspace, [
    { ...calls, inputHash: 'other', atMs: nowMs - 2 * dayMs },
    ...repeat(9, nowMs - hourMs, minuteMs, calls),
    ...consumedResults('search', 30, 0, attested),
  ])
  const ruleOf = async (state: 'disabled' | 'shadow', type?: string) =>
    await addDecision(looks.db.query, workspace, { state, inputs: [], ...(type === undefined ? {} : { type }) })
  const score = { verdict: 'inconclusive', proven: false, last_breach: { reason: 'wrong_share' } }
  const look = async (detector: Detector) => {
    await looks.look(workspace, { detector })
    return (await looks.list(workspace)).find(({ type }) => type === detector.type)
  }
  const first = await ruleOf('disabled')
  t.like(await look(repeatedToolCall), { evidence: { remedy: 'rule' } }, 'a person may have disabled it')
  await looks.db.query('update decisions set score = $2 where id = $1', [first, score])
  const refuted = await look(repeatedToolCall)
  t.like(refuted, { est_monthly_cost_usd: null, evidence: { remedy: 'refuted', price: { seen_usd: null } } })
  t.regex(refuted?.detail ?? '', /its results change too often to be served\. No cost estimate: a rule for these calls/)
  t.notRegex(refuted?.detail ?? '', /attested|Keep each result|\$/)
  await ruleOf('shadow')
  t.like(await look(repeatedToolCall), { evidence: { remedy: 'rule' } })

  t.like(await look(deadToolResult), { evidence: { remedy: 'rule' } })
  const unread = await ruleOf('disabled', 'suppress_dead')
  await looks.db.query(`update decisions set score = '{"verdict":"fail"}' where id = $1`, [unread])
  const unpriced = await look(deadToolResult)
  t.like(unpriced, { est_monthly_cost_usd: null, evidence: { remedy: 'refuted' } })
  t.notRegex(unpriced?.detail ?? '', /attested|once a rule/)
})

test('only a tool that is attested as unread waits for a rule on its unread results', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...consumedResults('style_guide', 30, 0, { attestedUnread: true }),
    ...consumedResults('get_hours', 30, 0, { attested: true }),
  ])
  await looks.look(workspace, { detector: deadToolResult })
  const remedies = (await looks.list(workspace)).map(
    ({ tool_name: tool, evidence }) => `${tool}: ${String(evidence['remedy'])}`,
  )
  t.deepEqual(remedies.sort(), ['get_hours: attest', 'style_guide: rule'])
})

test('two repeats, longer pauses, other inputs, agents and results, holdouts and served calls are no repeated call', async (t) => {
  const workspace = await looks.makeWorkspace()
  const lastMs = nowMs - hourMs
  await looks.store(workspace, [
    ...repeat(3, lastMs, minuteMs, search),
    ...repeat(10, lastMs, 11 * minuteMs, { ...search, tool: 'slowly' }),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'others' }).map((each, at) => ({ ...each, inputHash: `${at}` })),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'agents' }).map((each, at) => ({ ...each, agent: `${at}` })),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'changes' }).map((each, at) => ({
      ...each,
      contentHash: `${at}`,
    })),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'held out', holdout: true }),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'served', served: true }),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'failing', status: 'error' }),
    ...repeat(10, lastMs, minuteMs, { ...search, tool: 'told twice', counted: false }),
    ...repeat(10, nowMs - 25 * hourMs, minuteMs, { ...search, tool: 'long ago' }),
  ])
  await looks.look(workspace, { detector: repeatedToolCall })
  t.deepEqual(await looks.list(workspace), [])
})

test('repeats without a price have no cost, fifty of them are a warning, and they resolve after a day', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(51, nowMs - minuteMs, minuteMs, search))
  await looks.look(workspace, { detector: repeatedToolCall })
  t.like((await looks.list(workspace))[0], { est_monthly_cost_usd: null, severity: 'warning', occurrences: 50 })
  await looks.look(workspace, { detector: repeatedToolCall, nowMs: nowMs - minuteMs + dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'open')
  const after = await looks.look(workspace, { detector: repeatedToolCall, nowMs: nowMs - minuteMs + dayMs + 1 })
  t.is(after.resolved, 1)
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('evidence names the ten newest traces, each once, the newest first', async (t) => {
  const workspace = await looks.makeWorkspace()
  const drafts = repeat(24, nowMs - minuteMs, minuteMs, search)
  // Two calls in each trace.
  await looks.store(
    workspace,
    drafts.map((each, at) => ({ ...each, trace: hexId(1_000_000 + (at >> 1), 32) })),
  )
  await looks.look(workspace, { detector: repeatedToolCall })
  t.deepEqual(
    (await looks.list(workspace))[0]?.evidence['trace_ids'],
    Array.from({ length: 10 }, (_, at) => hexId(1_000_011 - at, 32)),
  )
})

test('a finding about repeats names the decision on the same tool and input, the furthest in its life', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(4, nowMs - minuteMs, minuteMs, search))
  const decide = async (state: string, input: string, agent: string | null): Promise<string> => {
    const [row] = await looks.db.query<{ id: string }>(
      `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, agent_id, config)
       values (gen_random_uuid(), $1, 'reuse_identity', $2, 'search', $3, $4, '{}') returning id`,
      [workspace, state, input, agent],
    )
    return row?.id ?? ''
  }
  const linked = async (): Promise<string | null | undefined> => {
    await looks.look(workspace, { detector: repeatedToolCall })
    return (await looks.list(workspace))[0]?.decision_id
  }
  await decide('active', 'another', null)
  await decide('active', 'same', agentIdOf(workspace, 'another'))
  await decide('disabled', 'same', null)
  t.is(await linked(), null)
  const proposed = await decide('proposed', 'same', null)
  t.is(await linked(), proposed)
  const shadow = await decide('shadow', 'same', agentIdOf(workspace, 'coder'))
  t.is(await linked(), shadow)
})

test('a tool that is not attested is a finding, with what attesting it would save', async (t) => {
  const workspace = await looks.makeWorkspace()
  const calls = { ...search, providedCostUsd: 0.7, durationUs: 1_000_000 }
  await looks.store(workspace, repeat(11, nowMs - hourMs, 12 * hourMs, calls))
  await looks.look(workspace, { detector: unattestedRepeat })
  const [finding] = await looks.list(workspace)
  t.like(finding, {
    type: 'unattested_repeat',
    tool_name: 'search',
    agent_id: null,
    occurrences: 10,
    severity: 'warning',
  })
  // 10 repeats of $0.70, 5 % held out, in the 121 hours since the first call, for 30 days.
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - (10 * 0.7 * 0.95 * 30 * 24) / 121) < 1e-6)
  t.like(finding?.evidence, { calls: 11, repeats: 10, waited_ms: 10_000 })
  t.regex(
    finding?.detail ?? '',
    /If the same input gives the same result for at least 1 day and the tool changes nothing, attest the tool in the SDK/,
  )
  await looks.look(workspace, { detector: unattestedRepeat, nowMs: nowMs + 8 * dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('nine repeats, attested tools, and inputs that come again beyond the freshness need no attesting', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...repeat(10, nowMs - hourMs, minuteMs, search),
    ...repeat(20, nowMs - hourMs, minuteMs, { ...search, tool: 'attested', attested: true }),
    // Attested only recently.
    ...repeat(20, nowMs - 2 * hourMs, minuteMs, { ...search, tool: 'by now' }),
    { ...search, tool: 'by now', attested: true, atMs: nowMs - hourMs },
    ...repeat(6, nowMs - hourMs, 25 * hourMs, { ...search, tool: 'stale' }).flatMap((each) => [
      each,
      { ...each, inputHash: 'another' },
    ]),
  ])
  await looks.look(workspace, { detector: unattestedRepeat })
  t.deepEqual(await looks.list(workspace), [])
})

test('a tool whose results are in prompts but are not read is a finding', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    { kind: 'tool', tool: 'lookup', atMs: nowMs - 2 * dayMs },
    ...consumedResults('lookup', 20, 1),
  ])
  await looks.look(workspace, { detector: deadToolResult })
  const [finding] = await looks.list(workspace)
  t.like(finding, {
    type: 'dead_tool_result',
    tool_name: 'lookup',
    occurrences: 19,
    agent_id: agentIdOf(workspace, 'agent'),
  })
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - (0.95 * 19 * 0.35 * 30) / 2) < 1e-6)
  t.like(finding?.evidence, { consumed: 20, read: 1, prompts_with_unread_results: 19 })
  await looks.look(workspace, { detector: deadToolResult, nowMs: nowMs + 7 * dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('a tool whose results others than the model receive is no finding', async (t) => {
  const workspace = await looks.makeWorkspace()
  const results = consumedResults('shown', 20, 0)
  await looks.store(
    workspace,
    results.map((one) => (one.kind === 'tool' ? { ...one, read: [one.callId ?? ''] } : one)),
  )
  await looks.look(workspace, { detector: deadToolResult })
  t.deepEqual(await looks.list(workspace), [])
})

test('nineteen results, results that are read once in ten times, and results that were not consumed are no finding', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...consumedResults('few', 19, 0),
    ...consumedResults('read', 20, 2),
    ...repeat(40, nowMs - hourMs, minuteMs, { kind: 'tool', tool: 'not consumed', callId: 'nobody' }),
    ...consumedResults('served', 40, 0, { served: true }),
  ])
  await looks.look(workspace, { detector: deadToolResult })
  t.deepEqual(await looks.list(workspace), [])
})

test('a result that a later trace of its session reads is read; one of another session is not', async (t) => {
  const workspace = await looks.makeWorkspace()
  const readLater = (session: string): Draft[] =>
    consumedResults(`in ${session}`, 20, 0, { session: 'one' }).map((each) => ({ ...each, session: 'one' }))
  const reads = (session: string): Draft[] =>
    Array.from({ length: 20 }, (_, at) => ({
      kind: 'llm' as const,
      session,
      atMs: nowMs - minuteMs,
      consumed: [`in ${session} ${at}`],
      read: [`in ${session} ${at}`],
    }))
  await looks.store(workspace, [...readLater('one'), ...reads('one'), ...readLater('two'), ...reads('two')])
  await looks.look(workspace, { detector: deadToolResult })
  t.deepEqual(
    (await looks.list(workspace)).map(({ tool_name: tool }) => tool),
    ['in two'],
  )
})

test('the same failing call three times in a trace is a loop, priced by the models meanwhile', async (t) => {
  const workspace = await looks.makeWorkspace()
  const trace = hexId(77, 32)
  const atMs = nowMs - hourMs
  const failing = { ...search, trace, status: 'error', errorType: 'timeout' } as const
  const call = { kind: 'llm', model: 'gpt-4o', agent: 'coder', trace, costUsd: 0.2 } as const
  await looks.store(workspace, [
    { ...call, trace: hexId(78, 32), atMs: nowMs - 2 * dayMs },
    { ...call, atMs: atMs - 1_000 },
    ...repeat(3, atMs + 2_000, 1_000, failing),
    { ...call, atMs: atMs + 500 },
    { ...call, atMs: atMs + 1_500 },
    { ...call, atMs: atMs + 2_500 },
  ])
  await looks.look(workspace, { detector: retryLoop })
  const [finding] = await looks.list(workspace)
  t.like(finding, {
    type: 'retry_loop',
    severity: 'warning',
    occurrences: 1,
    tool_name: 'search',
    est_monthly_cost_usd: 12,
  })
  t.deepEqual(finding?.evidence['trace_ids'], [trace])
  t.like(finding?.evidence, { failures: 3, longest: 3, error_types: ['timeout'] })
  await looks.look(workspace, { detector: retryLoop, nowMs: nowMs + dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('two failures, three in other traces or with other inputs, three with successes between them, and three successes are no loop; ten are critical', async (t) => {
  const workspace = await looks.makeWorkspace()
  const failing = { ...search, status: 'error' } as const
  const atMs = nowMs - hourMs
  await looks.store(workspace, [
    ...repeat(2, atMs, 1_000, { ...failing, trace: hexId(81, 32) }),
    ...repeat(9, atMs, 1_000, { ...failing, tool: 'apart' }),
    ...repeat(9, atMs, 1_000, { ...failing, tool: 'inputs', trace: hexId(82, 32) }).map((each, at) => ({
      ...each,
      inputHash: `${at}`,
    })),
    ...repeat(9, atMs, 1_000, { ...search, tool: 'fine', trace: hexId(83, 32) }),
    // A polled status that succeeds at each third attempt.
    ...repeat(9, atMs, 1_000, { ...failing, tool: 'flaky', trace: hexId(85, 32) }).map((each, at) =>
      at % 3 === 2 ? ({ ...each, status: 'ok' } as const) : each,
    ),
  ])
  await looks.look(workspace, { detector: retryLoop })
  t.deepEqual(await looks.list(workspace), [])
  await looks.store(workspace, repeat(10, atMs, 1_000, { ...failing, inputHash: null, trace: hexId(84, 32) }))
  await looks.look(workspace, { detector: retryLoop })
  t.like((await looks.list(workspace))[0], { severity: 'critical', est_monthly_cost_usd: null })
})
