import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { until } from '../../test/_kit/until.ts'
import { followRules, type Rules } from '../src/follow-rules.ts'
import { type Answer, type Ask, Unreachable } from '../src/http.ts'
import type { Subject } from '../src/rule-book.ts'

type Poll = { readonly ask: Ask; readonly answer: (answer: Answer | Error) => void }

const rule = {
  decision_id: randomUUID(),
  type: 'suppress_dead',
  tool_name: 'search',
  input_hash: null,
  freshness_s: 60,
  holdout_rate: 0,
}
const subject: Subject = {
  tool: 'search',
  version: null,
  inputHash: 'hash',
  agentName: 'agent',
  attestsSameInput: false,
  attestsUnread: true,
}
const full = (etag: string, rules: object[] = [rule]): Answer => ({
  status: 200,
  headers: { etag },
  body: Buffer.from(JSON.stringify({ rules })),
})
/** The rules of a version, as a front tells them that knew `ageS` ago that they are right. */
const told = (version: string, rules: object[], ageS = 0): Answer => ({
  status: 200,
  headers: { etag: `"${version}"`, ...(ageS === 0 ? {} : { age: String(ageS) }) },
  body: Buffer.from(JSON.stringify({ version, rules })),
})
const unchanged: Answer = { status: 304, headers: {}, body: Buffer.alloc(0) }

/** Rules that are polled for by hand: each poll waits for the test to answer it. */
function open(t: ExecutionContext, timing: object = {}) {
  const polls: Poll[] = []
  const failures: string[] = []
  const clock = { nowMs: 0, unixMs: 1_000_000 }
  const changes: number[] = []
  const rules: Rules = followRules({
    http: {
      ask: (ask) =>
        new Promise((resolve, reject) => {
          polls.push({ ask, answer: (given) => (given instanceof Error ? reject(given) : resolve(given)) })
        }),
    },
    clock: () => ({ monotonicMs: clock.nowMs, unixMs: clock.unixMs }),
    random: () => 0,
    onFailure: (reason) => failures.push(reason),
    onChange: ({ size }) => changes.push(size),
    timing: { minIntervalMs: 0, firstBackOffMs: 1, maxBackOffMs: 2, ...timing },
  })
  t.teardown(() => rules.stop())
  const next = async (count: number): Promise<Poll> => {
    await until(() => polls.length >= count)
    return polls[count - 1] as Poll
  }
  return { rules, polls, failures, changes, clock, next }
}

test('the first poll requests the rules at once, later ones send the ETag of the current rules, one at a time', async (t) => {
  const { rules, polls, next } = open(t)
  const first = await next(1)
  t.is(first.ask.path, '/v1/apply/rules')
  t.false('if-none-match' in (first.ask.headers ?? {}))
  t.true(first.ask.background)
  first.answer(full('"1"'))
  const second = await next(2)
  t.truthy(rules.find(subject))
  t.is(second.ask.path, '/v1/apply/rules?wait=25')
  t.is(second.ask.headers?.['if-none-match'], '"1"')
  second.answer(unchanged)
  await next(3)
  t.is(polls.length, 3)
  t.truthy(rules.find(subject))
})

test('rules that change are in force with the answer', async (t) => {
  const { rules, next } = open(t)
  ;(await next(1)).answer(full('"1"'))
  ;(await next(2)).answer(full('"2"', []))
  await next(3)
  t.is(rules.find(subject), null)
  t.is(rules.size(), 0)
})

for (const status of [401, 403]) {
  test(`after a ${status}, the response to a revoked key, no rule is in force until the service confirms the rules`, async (t) => {
    const { rules, changes, failures, next } = open(t)
    ;(await next(1)).answer(full('"1"'))
    ;(await next(2)).answer({ status, headers: {}, body: Buffer.alloc(0) })
    const third = await next(3)
    t.is(rules.find(subject), null)
    t.deepEqual(changes, [1, 0], 'results in memory are dropped')
    t.deepEqual(failures, [`status_${status}`])
    third.answer(unchanged)
    await next(4)
    t.truthy(rules.find(subject))
  })
}

test('rules that were held while the machine slept are not in force until they are confirmed', async (t) => {
  const { rules, changes, clock, next } = open(t, { validForMs: 100 })
  ;(await next(1)).answer(full('"1"'))
  const second = await next(2)
  t.truthy(rules.find(subject))
  clock.unixMs += 101
  t.is(rules.find(subject), null)
  t.deepEqual(changes, [1, 0])
  second.answer(unchanged)
  await next(3)
  t.truthy(rules.find(subject))
  clock.unixMs -= 3_600_000
  t.truthy(rules.find(subject), 'a clock that was set back does not keep them longer than the other clock allows')
  clock.nowMs += 101
  t.is(rules.find(subject), null)
})

for (const by of ['nowMs', 'unixMs'] as const) {
  test(`rules that lapsed by ${by} while no call was made end before an answer confirms them`, async (t) => {
    const { rules, changes, clock, next } = open(t, { validForMs: 90_000 })
    ;(await next(1)).answer(full('"1"'))
    const second = await next(2)
    clock[by] += 90_001
    second.answer(new Unreachable('timeout'))
    ;(await next(3)).answer(unchanged)
    await next(4)
    t.deepEqual(changes, [1, 0], 'results in memory are dropped: some may have been invalidated meanwhile')
    t.truthy(rules.find(subject))
  })

  test(`an answer that took longer by ${by} than a poll may take confirms nothing, since the process was suspended`, async (t) => {
    const { rules, changes, failures, clock, next } = open(t)
    ;(await next(1)).answer(full('"1"'))
    const second = await next(2)
    clock[by] += 35_001
    second.answer(full('"2"', []))
    const third = await next(3)
    t.deepEqual(failures, ['timeout'])
    t.is(third.ask.headers?.['if-none-match'], '"1"')
    t.deepEqual(changes, [1])
    clock[by] += 35_000
    third.answer(unchanged)
    await next(4)
    t.deepEqual(failures, ['timeout'], 'the control')
    t.truthy(rules.find(subject))
  })

  test(`an answer confirms the rules as of the end of its wait, also if it arrives later by ${by}`, async (t) => {
    const { rules, clock, next } = open(t, { waitS: 25, validForMs: 90_000 })
    ;(await next(1)).answer(full('"1"'))
    const second = await next(2)
    clock[by] += 30_000
    second.answer(unchanged)
    await next(3)
    clock[by] += 85_000
    t.truthy(rules.find(subject))
    clock[by] += 1
    t.is(rules.find(subject), null)
  })
}

test('rules are kept during failures, until they have not been confirmed for too long', async (t) => {
  const { rules, failures, changes, clock, next } = open(t, { validForMs: 100 })
  ;(await next(1)).answer(full('"1"'))
  ;(await next(2)).answer(new Unreachable('ECONNREFUSED'))
  ;(await next(3)).answer({ status: 503, headers: {}, body: Buffer.alloc(0) })
  ;(await next(4)).answer({ status: 200, headers: {}, body: Buffer.from('{') })
  const fifth = await next(5)
  t.deepEqual(failures, ['ECONNREFUSED', 'status_503', 'bad_answer'])
  t.is(fifth.ask.headers?.['if-none-match'], '"1"')
  t.truthy(rules.find(subject))
  clock.nowMs = 101
  t.is(rules.find(subject), null)
  t.is(rules.find(subject), null)
  t.deepEqual(changes, [1, 0], 'told once that nothing is in force')
  fifth.answer(unchanged)
  await next(6)
  t.truthy(rules.find(subject))
})

test('a 304 without rules in memory confirms nothing', async (t) => {
  const { rules, failures, next } = open(t)
  ;(await next(1)).answer(unchanged)
  await next(2)
  t.deepEqual(failures, ['status_304'])
  t.is(rules.find(subject), null)
})

test('the client waits for Retry-After', async (t) => {
  const { polls, next } = open(t)
  const startedAtMs = performance.now()
  ;(await next(1)).answer({ status: 429, headers: { 'retry-after': '1' }, body: Buffer.alloc(0) })
  await next(2)
  t.true(performance.now() - startedAtMs >= 990)
  t.is(polls.length, 2)
})

test('the first poll also ends if it fails', async (t) => {
  const { rules, next } = open(t)
  ;(await next(1)).answer(new Unreachable('timeout'))
  await t.notThrowsAsync(rules.firstPoll)
})

test('after shutdown no request is sent', async (t) => {
  const { rules, polls, failures, next } = open(t)
  const first = await next(1)
  rules.stop()
  first.answer(new Unreachable('stopped'))
  await rules.firstPoll
  await new Promise((turn) => setImmediate(turn))
  t.is(polls.length, 1)
  t.deepEqual(failures, [])
})

test('older rules of a delayed front do not replace newer ones and do not confirm them', async (t) => {
  const { rules, failures, changes, clock, next } = open(t)
  clock.nowMs = 10_000
  ;(await next(1)).answer(told('a.5', []))
  ;(await next(2)).answer(told('b.6', [rule]))
  // From memory, which a front may answer from for 5 s without saying so.
  ;(await next(3)).answer(told('a.5', []))
  await next(4)
  t.is(rules.size(), 1)
  clock.nowMs = 40_000
  // One that is deaf says how old its answer is.
  const fifth = await next(4)
  fifth.answer(told('a.5', [], 20))
  const sixth = await next(5)
  t.is(rules.size(), 1)
  t.is(sixth.ask.headers?.['if-none-match'], '"b.6"', 'what is held is asked about')
  t.deepEqual(failures, ['old_rules', 'old_rules'])
  // The control: newer rules are taken from any front, however deaf.
  sixth.answer(told('c.7', [], 20))
  await next(6)
  t.is(rules.size(), 0)
  t.deepEqual(changes, [0, 1, 0])
})

test('rules of a restored database are accepted once they cannot be a delayed response', async (t) => {
  const { rules, failures, clock, next } = open(t)
  ;(await next(1)).answer(told('a.6', [rule]))
  await next(2)
  clock.nowMs = 4_000
  ;(await next(2)).answer(told('b.6', []))
  const third = await next(3)
  t.is(rules.size(), 1, 'with the same number, too')
  clock.nowMs = 6_000
  third.answer(told('b.6', []))
  const fourth = await next(4)
  t.is(rules.size(), 1, 'asked 4 s after the rules held were new')
  fourth.answer(told('b.6', []))
  const fifth = await next(5)
  t.is(rules.size(), 0)
  t.deepEqual(failures, ['old_rules', 'old_rules'])
  clock.nowMs = 20_000
  fifth.answer(unchanged)
  ;(await next(6)).answer(told('c.2', [rule]))
  await next(7)
  t.is(rules.size(), 1)
})

test('a response confirms the rules as of its age', async (t) => {
  const { rules, clock, next } = open(t, { waitS: 60, validForMs: 90_000 })
  ;(await next(1)).answer(told('a.1', [rule]))
  const second = await next(2)
  clock.nowMs = 60_000
  second.answer({ ...unchanged, headers: { age: '50' } })
  const third = await next(3)
  clock.nowMs = 100_000
  t.truthy(rules.find(subject))
  clock.nowMs = 100_001
  t.is(rules.find(subject), null)
  third.answer(unchanged)
  await next(4)
  t.truthy(rules.find(subject), 'the control: one without an age vouches from now on')
})
