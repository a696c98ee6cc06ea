import { randomUUID } from 'node:crypto'
import test from 'ava'
import { noRules, type Rule, readRuleBook } from '../src/rule-book.ts'
import { inputPrefix } from '../src/serving/input-prefix.ts'
import { type Moment, never } from '../src/serving/moment.ts'
import { type EndedRun, type KeptResult, makeResultMemory, type ResultMemory } from '../src/serving/result-memory.ts'

const anyFreshness = Number.POSITIVE_INFINITY
const ruleOf = (changes: Partial<Rule> = {}): Rule => ({
  decisionId: randomUUID(),
  type: 'reuse_identity',
  toolName: 'search',
  toolVersion: null,
  inputHash: null,
  inputs: new Set([inputPrefix('h1'), inputPrefix('h2')]),
  agentName: null,
  freshnessS: 60,
  holdoutRate: 0,
  executedAfterMs: Number.NEGATIVE_INFINITY,
  ...changes,
})
const at = (ms: number): Moment => ({ unixMs: ms, monotonicMs: ms })
const result = (text: string, changes: Partial<KeptResult> = {}): KeptResult => ({
  form: 'json',
  text,
  end: at(0),
  expires: never,
  ...changes,
})
const ended = (rule: Rule | null, changes: Partial<EndedRun> = {}): EndedRun => ({
  tool: 'search',
  agentName: 'agent',
  hashes: ['h1'],
  rule,
  hash: 'h1',
  result: result('1'),
  start: at(1_000),
  isSame: (one, other) => one.text === other.text,
  ...changes,
})
const bookOf = ({ decisionId, executedAfterMs }: Rule, inputs: readonly string[]) =>
  readRuleBook(
    JSON.stringify({
      rules: [
        {
          decision_id: decisionId,
          type: 'reuse_identity',
          tool_name: 'search',
          inputs: inputs.map(inputPrefix),
          freshness_s: 60,
          holdout_rate: 0,
          executed_after: Number.isFinite(executedAfterMs) ? new Date(executedAfterMs).toISOString() : null,
        },
      ],
    }),
  ) ?? noRules

function open(maxBytes = 1 << 20): { memory: ResultMemory; clock: { now: Moment } } {
  const clock = { now: at(0) }
  return { memory: makeResultMemory(maxBytes, () => clock.now), clock }
}
const textOf = (memory: ResultMemory, rule: Rule, hash = 'h1'): string | null => {
  const known = memory.find(rule, hash, anyFreshness)
  return known === null || known === 'unusable' ? known : known.text
}

test('a result is served until it is as old as the rule or the tool allows, counted from the end of its execution', (t) => {
  const { memory, clock } = open()
  const rule = ruleOf()
  memory.keep(rule, 'h1', result('1', { end: at(-10_000) }))
  clock.now = at(49_999)
  t.is(textOf(memory, rule), '1')
  t.is(memory.find(rule, 'h1', 30), null, 'a younger one is wanted by the tool')
  clock.now = at(50_000)
  t.is(textOf(memory, rule), null)
  memory.keep(rule, 'h2', result('2', { end: at(50_000), expires: at(50_010) }))
  t.is(textOf(memory, rule, 'h2'), '2')
  clock.now = at(50_010)
  t.is(textOf(memory, rule, 'h2'), null, 'the service has said until when')
})

test('of two clocks, the one with the higher age counts', (t) => {
  for (const now of [
    { unixMs: 60_000, monotonicMs: 5 },
    { unixMs: -60_000, monotonicMs: 60_000 },
  ]) {
    const { memory, clock } = open()
    const rule = ruleOf()
    memory.keep(rule, 'h1', result('1'))
    t.is(textOf(memory, rule), '1')
    clock.now = now
    t.is(textOf(memory, rule), null)
  }
})

test('a result is served under its own rule alone', (t) => {
  const { memory } = open()
  const rule = ruleOf()
  memory.ended(ended(rule))
  t.is(textOf(memory, rule), '1')
  t.is(textOf(memory, ruleOf()), null, 'of another decision')
  t.is(textOf(memory, { ...rule, executedAfterMs: 1 }), null, 'invalidated since')
  t.is(textOf(memory, { ...rule, agentName: 'agent' }), null)
})

test('a result that has changed is served once an equal one has followed', (t) => {
  const { memory } = open()
  const rule = ruleOf()
  memory.ended(ended(rule))
  for (const text of ['2', '3', '4']) {
    memory.ended(ended(rule, { result: result(text) }))
    t.is(textOf(memory, rule), 'unusable', text)
  }
  memory.ended(ended(rule, { result: result('4') }))
  t.is(textOf(memory, rule), '4')
  memory.ended(ended(rule, { result: result('5'), isSame: () => true }))
  t.is(textOf(memory, rule), '5', 'the part that counts is the same')
})

test('the newest execution replaces what is known, and a failure ends it until a success follows', (t) => {
  const { memory } = open()
  const rule = ruleOf()
  memory.ended(ended(rule))
  memory.ended(ended(rule, { result: null }))
  t.is(textOf(memory, rule), 'unusable')
  memory.ended(ended(null, { result: null }))
  t.is(textOf(memory, rule), 'unusable')
  memory.ended(ended(rule, { result: result('3') }))
  t.is(textOf(memory, rule), '3')
})

test('an execution of another agent counts for a rule about every agent, and for no other', (t) => {
  const { memory } = open()
  const [ofAll, ofCritic] = [ruleOf(), ruleOf({ agentName: 'critic' })]
  memory.ended(ended(ofAll, { agentName: 'writer' }))
  memory.ended(ended(ofCritic, { agentName: 'critic', result: result('2') }))
  t.is(textOf(memory, ofAll), null, 'the newest execution is that of the critic, which another rule keeps')
  memory.ended(ended(ofAll, { agentName: 'writer', result: null }))
  t.is(textOf(memory, ofAll), 'unusable')
  t.is(textOf(memory, ofCritic), '2')
})

test('results that the current rules no longer serve are removed, and do not return with the rule', (t) => {
  const gone = [
    ['the rule goes', () => noRules],
    ['the input leaves', (rule: Rule) => bookOf(rule, ['h2'])],
    ['results are invalidated', (rule: Rule) => bookOf({ ...rule, executedAfterMs: 5 }, ['h1'])],
  ] as const
  for (const [title, next] of gone) {
    const { memory } = open()
    const rule = ruleOf()
    memory.ended(ended(rule))
    memory.obey(bookOf(rule, ['h1', 'h2']))
    t.is(textOf(memory, rule), '1', title)
    memory.obey(next(rule))
    t.is(textOf(memory, rule), null, title)
    t.is(memory.bytes(), 0)
  }
})

test('the result of a long execution is not kept: its input may have been invalidated elsewhere and be listed again', (t) => {
  for (const [by, now] of [
    ['both clocks', at(91_000)],
    ['the wall clock', { unixMs: 91_000, monotonicMs: 1_000 }],
    ['the monotonic clock', { unixMs: 1_000, monotonicMs: 91_000 }],
  ] as const) {
    const { memory, clock } = open()
    const rule = ruleOf({ freshnessS: 3_600 })
    memory.ended(ended(rule, { result: null }))
    clock.now = now
    memory.ended(ended(rule, { start: at(1_000) }))
    t.is(textOf(memory, rule), '1', by)
    memory.ended(ended(rule, { start: at(999) }))
    t.is(textOf(memory, rule), null, `by ${by}, the service is asked`)
    t.is(memory.keep(rule, 'h1', result('0', { end: at(-1) })), null, 'the service has an older result only')
    t.is(textOf(memory, rule), null)
    t.is(memory.keep(rule, 'h1', result('1'))?.text, '1')
    t.is(textOf(memory, rule), '1')
  }
})

test('the result of a long execution is kept under a rule that holds the last invalidation of all that it covers', (t) => {
  for (const changes of [{ inputHash: 'h1' }, { type: 'suppress_dead' }] as const) {
    const { memory, clock } = open()
    const rule = ruleOf({ inputs: null, freshnessS: 3_600, ...changes })
    clock.now = at(200_000)
    memory.ended(ended(rule, { result: result('1', { end: clock.now }) }))
    t.is(textOf(memory, rule), '1')
    t.is(memory.keep(rule, 'h1', result('0'))?.text, '1')
  }
})

test('a rule is not given what was executed before its time', (t) => {
  const { memory } = open()
  const rule = ruleOf({ executedAfterMs: 1_000 })
  memory.ended(ended(rule))
  t.is(textOf(memory, rule), null)
  memory.ended(ended(rule, { start: at(1_001) }))
  t.is(textOf(memory, rule), '1')
})

test('an invalidation removes the matching results, and results of calls in progress are not stored', (t) => {
  for (const hashes of [null, ['h1']]) {
    const { memory } = open()
    const rule = ruleOf()
    memory.ended(ended(rule))
    memory.ended(ended(rule, { hashes: ['h2'], hash: 'h2', result: result('2') }))
    memory.invalidate('other', hashes === null ? null : ['h3'], at(9_000))
    t.is(textOf(memory, rule), '1')
    memory.invalidate('search', hashes, at(2_000))
    t.is(textOf(memory, rule), null)
    t.is(textOf(memory, rule, 'h2'), hashes === null ? null : '2')
    t.is(memory.lastInvalidated('search', 'h1').unixMs, 2_000)
    memory.ended(ended(rule, { start: at(2_000) }))
    t.is(textOf(memory, rule), 'unusable')
    memory.ended(ended(rule, { start: at(2_001), result: result('3') }))
    t.is(textOf(memory, rule), '3')
  }
})

test('an invalidation is not forgotten, however many follow', (t) => {
  const { memory } = open()
  memory.invalidate('search', ['h1'], at(2_000))
  for (let nth = 0; nth < 10_000; nth++) memory.invalidate('search', [`k${nth}`], at(3_000 + nth))
  t.is(memory.lastInvalidated('search', 'h1').unixMs, 2_000)
  t.is(memory.lastInvalidated('search', 'k9999').unixMs, 12_999)
  t.is(memory.lastInvalidated('other', 'h2').unixMs, Number.NEGATIVE_INFINITY)
  const rule = ruleOf()
  memory.ended(ended(rule, { start: at(1_000) }))
  t.is(textOf(memory, rule), 'unusable')
  memory.ended(ended(rule, { start: at(2_001) }))
  t.is(textOf(memory, rule), '1')
  for (let nth = 0; nth < 10_000; nth++) memory.invalidate(`tool ${nth}`, null, at(20_000))
  t.is(memory.lastInvalidated('search', 'h1').unixMs, 2_000)
  t.is(memory.lastInvalidated('tool 0', 'h2').unixMs, 20_000)
})

test('an invalidated result does not count as what would have been served to a held-out call', (t) => {
  const rule = ruleOf()
  const newer = { ...rule, executedAfterMs: 500 }
  const forgets: ((memory: ResultMemory) => Rule)[] = [
    (memory) => {
      memory.invalidate('search', null, at(500))
      return rule
    },
    (memory) => {
      memory.invalidate('search', ['h1'], at(500))
      return rule
    },
    (memory) => {
      memory.obey(bookOf(newer, ['h1']))
      return newer
    },
  ]
  for (const forget of forgets) {
    const { memory } = open()
    memory.ended(ended(rule, { start: at(100) }))
    t.true(memory.ended(ended(rule, { start: at(200), result: result('2') })))
    const now = forget(memory)
    t.false(memory.ended(ended(now, { result: result('3') })), 'another result than before is to be expected')
    t.is(textOf(memory, now), '3')
  }
})

test('the bytes of results are limited, and the least recently used result is removed first', (t) => {
  const maxBytes = 100_000
  const { memory } = open(maxBytes)
  const rule = ruleOf()
  const most = 10_000
  for (let nth = 0; nth < most; nth++) {
    memory.keep(rule, `h${nth}`, result('x'.repeat(1_000)))
    t.true(textOf(memory, rule, 'h0') !== null, 'used again and again')
    if (memory.bytes() > maxBytes) t.fail(`${memory.bytes()} bytes`)
  }
  t.is(textOf(memory, rule, 'h1'), null)
  t.not(textOf(memory, rule, `h${most - 1}`), null)
  memory.keep(rule, 'h0', result('x'.repeat(maxBytes)))
  t.is(textOf(memory, rule, 'h0'), null, 'larger than all of the memory')
})

test('without memory nothing is stored, and a failure still ends serving', (t) => {
  const { memory } = open(0)
  const rule = ruleOf()
  memory.ended(ended(rule))
  t.is(textOf(memory, rule), null)
  t.is(memory.bytes(), 0)
  memory.ended(ended(rule, { result: null }))
  t.is(textOf(memory, rule), 'unusable')
})

test('results that were served and results that changed have one bound together', (t) => {
  const maxBytes = 100_000
  const { memory } = open(maxBytes)
  const rule = ruleOf()
  for (let nth = 0; nth < 100; nth++) {
    const run = { hashes: [`h${nth}`], hash: `h${nth}` }
    memory.ended(ended(rule, { ...run, result: result('1'.repeat(1_000)) }))
    t.true(memory.ended(ended(rule, { ...run, result: result('2'.repeat(1_000)) })))
    memory.ended(ended(rule, { hashes: [`k${nth}`], hash: `k${nth}`, result: result('3'.repeat(1_000)) }))
    if (memory.bytes() > maxBytes) t.fail(`${memory.bytes()} bytes`)
  }
  t.true(memory.bytes() > maxBytes / 2)
})

test('only the part of a result that is served is kept', (t) => {
  const { memory } = open()
  const rule = ruleOf()
  memory.ended(ended(rule, { result: Object.assign(result('1'), { content: 'as long again' }) }))
  t.deepEqual(memory.find(rule, 'h1', anyFreshness), result('1'))
})

test('the bound on the bytes may be any number', (t) => {
  for (const maxBytes of [1, 1_025, 8_193.5]) {
    const memory = makeResultMemory(maxBytes, () => at(0))
    memory.ended(ended(ruleOf()))
    t.true(memory.bytes() <= maxBytes)
  }
  const memory = makeResultMemory(0.5, () => at(0))
  memory.ended(ended(ruleOf()))
  t.is(memory.bytes(), 0)
})
