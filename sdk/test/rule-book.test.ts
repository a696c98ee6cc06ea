import { randomUUID } from 'node:crypto'
import test from 'ava'
import { noRules, readRuleBook } from '../src/rule-book.ts'

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

test('a rule for exactly this input comes before one for the tool', (t) => {
  const book = bookOf(rule({ type: 'suppress_dead', input_hash: null, freshness_s: 1 }), rule({ freshness_s: 2 }))
  t.is(book.find('search', 'hash', 'agent')?.freshnessS, 2)
  t.is(book.find('search', 'other', 'agent')?.freshnessS, 1)
  t.is(book.find('search', null, 'agent')?.freshnessS, 1)
  t.is(book.find('other', 'hash', 'agent'), null)
})

test('a rule for another agent does not hide one for all', (t) => {
  const book = bookOf(rule({ agent_id: randomUUID(), agent_name: 'critic', freshness_s: 1 }), rule({ freshness_s: 2 }))
  t.is(book.find('search', 'hash', 'agent')?.freshnessS, 2)
  t.is(book.find('search', 'hash', 'critic')?.freshnessS, 1)
})

test('names and hashes that look alike when joined are kept apart', (t) => {
  const book = bookOf(rule({ tool_name: 'c', input_hash: 'a b' }), rule({ tool_name: 'dead', input_hash: '' }))
  t.is(book.find('b c', 'a', 'agent'), null)
  t.is(book.find('dead', null, 'agent'), null)
})

test('a rule in doubt is left out, and its neighbours are kept', (t) => {
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
