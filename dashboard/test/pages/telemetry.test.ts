// What the page of telemetry health derives from the responses of the API.
import test from 'ava'
import {
  describeTwice,
  findProblems,
  type Instrumentation,
  keyOf,
  nameScope,
} from '../../src/pages/telemetry/problems.ts'

const item = (more: Partial<Instrumentation> = {}): Instrumentation => ({
  scope_name: 'openai',
  scope_version: '1.0',
  dialect: 'opentelemetry',
  spans: 100,
  by_kind: { llm: 40, agent: 60 },
  other_share: 0,
  told_twice: 0,
  repeated: 0,
  unpriced: 0,
  cost_disagreements: 0,
  cost_disagreement_usd: 0,
  agents_unnamed: 0,
  last_seen: '2026-11-20T00:00:00.000Z',
  ...more,
})

test('healthy telemetry has no problem', (t) => {
  t.deepEqual(findProblems([item()]), [])
  t.deepEqual(findProblems([]), [])
})

test('each problem names its scope, with the share of its calls or spans, the largest first', (t) => {
  const framework = item({ scope_name: 'framework', told_twice: 30, repeated: 30, agents_unnamed: 10 })
  const found = findProblems([
    item({ told_twice: 10, unpriced: 4 }),
    framework,
    item({ dialect: null, by_kind: { other: 100 } }),
  ])
  const told = found.map(
    ({ problem, items }) =>
      `${problem.key}: ${items.map((one) => `${nameScope(one.item)} ${one.count}/${one.among}`).join(', ')}`,
  )
  t.deepEqual(told, [
    'told-twice: framework 30/40, openai 10/40',
    'unpriced: openai 4/40',
    'dialect: openai 100/100',
    'other: openai 100/100',
    'unnamed: framework 10/100',
  ])
})

test('for a call that is reported twice, the page states which report counts', (t) => {
  t.is(describeTwice(item()), null)
  t.is(describeTwice(item({ told_twice: 3 })), 'these count')
  t.is(describeTwice(item({ told_twice: 3, repeated: 3 })), 'the other ones count')
  t.is(describeTwice(item({ told_twice: 3, repeated: 1 })), 'some of these count')
})

test('rows are told apart by name, version and dialect', (t) => {
  t.is(
    new Set([item(), item({ scope_version: null }), item({ dialect: null }), item({ scope_name: null })].map(keyOf))
      .size,
    4,
  )
  t.is(nameScope(item({ scope_name: null })), 'spans without a scope')
})
