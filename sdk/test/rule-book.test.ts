import { randomUUID } from 'node:crypto'
import test from 'ava'
import { noRules, type Rule, readRuleBook, type Subject } from '../src/rule-book.ts'
import { inputPrefix } from '../src/serving/input-prefix.ts'

const rule = (changes: object = {}): object => ({
  decision_id: randomUUID(),
  type: 'reuse_identity',
  tool_name: 'search',
  input_hash: 'hash',
  agent_id: null,
  freshness_s: 60,
  holdout_rate: 0.05,
  config: {},
  activated_at: null,
  ...changes,
})
const bookOf = (...rules: readonly object[]) => readRuleBook(JSON.stringify({ version: 1, rules })) ?? noRules

const call = (changes: Partial<Subject> = {}): Subject => ({
  tool: 'search',
  version: null,
  inputHash: 'hash',
  agentName: 'agent',
  attestsSameInput: true,
  attestsUnread: true,
  ...changes,
})
const freshness = (rule: Rule | null): number | undefined => rule?.freshnessS

test('a rule for exactly this input comes before one that lists it, and that before one about unread results', (t) => {
  const dead = rule({ type: 'suppress_dead', input_hash: null, freshness_s: 1 })
  const listing = rule({ input_hash: null, inputs: [inputPrefix('hash'), inputPrefix('listed')], freshness_s: 2 })
  const book = bookOf(dead, listing, rule({ freshness_s: 3 }))
  t.is(freshness(book.find(call())), 3)
  t.is(freshness(book.find(call({ inputHash: 'listed' }))), 2)
  t.is(freshness(book.find(call({ inputHash: 'other' }))), 1)
  t.is(book.find(call({ tool: 'other' })), null)
})

test('a rule applies only to a tool that attests the claim of the rule', (t) => {
  const book = bookOf(rule({ type: 'suppress_dead', input_hash: null, freshness_s: 1 }), rule({ freshness_s: 2 }))
  t.is(freshness(book.find(call({ attestsSameInput: false }))), 1)
  t.is(freshness(book.find(call({ attestsUnread: false }))), 2)
  t.is(book.find(call({ attestsUnread: false, inputHash: 'other' })), null)
  t.is(book.find(call({ attestsSameInput: false, attestsUnread: false })), null)
})

test('the version of the tool is part of what a rule is about', (t) => {
  for (const kind of [
    { input_hash: null, inputs: [inputPrefix('hash')] },
    { type: 'suppress_dead', input_hash: null },
  ]) {
    const book = bookOf(rule({ ...kind, freshness_s: 1 }), rule({ ...kind, tool_version: '2', freshness_s: 2 }))
    t.is(freshness(book.find(call())), 1)
    t.is(freshness(book.find(call({ version: '2' }))), 2)
    t.is(book.find(call({ version: '3' })), null)
  }
  const exact = bookOf(rule({ tool_version: null, freshness_s: 1 }), rule({ tool_version: '2', freshness_s: 2 }))
  t.is(freshness(exact.find(call({ version: '2' }))), 2)
  t.is(exact.find(call({ version: '3' })), null)
  t.is(
    freshness(bookOf(rule()).find(call({ version: '3' }))),
    60,
    'the input hash of an earlier rule covers the version',
  )
})

test('an empty list of inputs serves nothing', (t) => {
  const book = bookOf(rule({ input_hash: null, inputs: [] }))
  t.is(book.size, 1)
  t.is(book.find(call()), null)
})

test('the prefix of an input is that of its hex digits, and of any other text that of its SHA-256', (t) => {
  t.is(inputPrefix('hmac-sha256:00112233445566778899aabbccddeeff'), 'ABEiM0RVZnc=')
  t.is(inputPrefix('a:b:0011223344556677'), 'ABEiM0RVZnc=')
  // sha256("abc") begins with ba7816bf8f01cfea.
  t.is(inputPrefix('abc'), 'ungWv48Bz+o=')
  for (const odd of ['x:001122334455667', 'x:001122334455667z', '0011223344556677'])
    t.not(inputPrefix(odd), 'ABEiM0RVZnc=')
})

test('a rule for another agent does not hide one for all', (t) => {
  const book = bookOf(rule({ agent_id: randomUUID(), agent_name: 'critic', freshness_s: 1 }), rule({ freshness_s: 2 }))
  t.is(freshness(book.find(call())), 2)
  t.is(freshness(book.find(call({ agentName: 'critic' }))), 1)
})

test('names and hashes that are equal when joined are distinguished', (t) => {
  const book = bookOf(rule({ tool_name: 'c', input_hash: 'a b' }), rule({ tool_name: 'dead', input_hash: '' }))
  t.is(book.find(call({ tool: 'b c', inputHash: 'a' })), null)
  t.is(book.find(call({ tool: 'dead', inputHash: 'any' })), null)
})

test('a malformed rule is left out, and the others are kept', (t) => {
  const odd = [
    { decision_id: 'x' },
    { type: 'unknown' },
    { tool_name: 7 },
    { input_hash: null },
    { input_hash: 5 },
    { freshness_s: -1 },
    { freshness_s: null },
    { holdout_rate: 1.5 },
    { holdout_rate: '0' },
    { agent_id: 5 },
    { tool_version: 5 },
    { executed_after: 'soon' },
    { inputs: 'hash' },
    { inputs: [5] },
    { input_hash: null, inputs: Array.from({ length: 4_097 }, (_, nth) => inputPrefix(String(nth))) },
    { agent_id: randomUUID(), agent_name: null },
  ]
  t.is(bookOf(...odd.map(rule), rule()).size, 1)
  t.is(readRuleBook('no JSON'), null)
  t.is(readRuleBook('null'), null)
  t.is(readRuleBook('{"rules":{}}'), null)
})

test('at most 10,000 rules are kept', (t) => {
  const one = rule()
  t.is(bookOf(...Array.from({ length: 10_050 }, () => one)).size, 10_000)
})
