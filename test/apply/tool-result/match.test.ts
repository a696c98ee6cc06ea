import test from 'ava'
import { matchRule } from '../../../src/apply/tool-result/match.ts'
import { openRuleBooks } from '../../../src/apply/tool-result/rule-book.ts'
import { serveRules } from './_rules.ts'

const seeds = [
  { id: 'one', input: 'i' },
  { id: 'dead', type: 'suppress_dead', input: 'ignored' },
  { id: 'broken', input: null },
  { id: 'other', type: 'shorten_prompt', input: 'i' },
]

test('a rule about one input serves that input alone, one about none serves any, and no other kind serves', async (t) => {
  const book = openRuleBooks()('w', await serveRules(1, seeds))
  const ask = (decisionId: string, inputHash: string | null): string => {
    const matched = matchRule(book, { decisionId, inputHash })
    return matched.ok ? matched.value.decisionId : matched.code
  }
  t.is(ask('one', 'i'), 'one')
  t.is(ask('one', 'j'), 'wrong_input')
  t.is(ask('one', ''), 'wrong_input')
  t.is(ask('one', null), 'wrong_input')
  for (const input of ['i', 'j', null]) t.is(ask('dead', input), 'dead')
  for (const id of ['broken', 'other', 'missing', '__proto__']) t.is(ask(id, 'i'), 'unknown_rule')
})

test('a snapshot is parsed once, and another one anew', async (t) => {
  const bookOf = openRuleBooks()
  const first = await serveRules(1, seeds)
  t.is(bookOf('w', first), bookOf('w', first))
  t.not(bookOf('w', await serveRules(2, seeds)), bookOf('w', first))
})

test('answers are kept apart by workspace and by all that a rule says', async (t) => {
  const bookOf = openRuleBooks()
  const same = { id: 'one', input: 'i' }
  const others = [
    { ...same, input: 'j' },
    { ...same, tool: 'fetch' },
    { ...same, agentId: 'a' },
    { ...same, freshnessS: 61 },
    { ...same, type: 'suppress_dead' },
    { ...same, id: 'two' },
  ]
  const snapshots = await Promise.all([same, ...others].map(async (seed, at) => await serveRules(at, [seed])))
  const keys = snapshots.flatMap((rules) => [...bookOf('w', rules).values()].map(({ key }) => key))
  const foreign = [...bookOf('v', await serveRules(9, [same])).values()].map(({ key }) => key)
  t.is(new Set([...keys, ...foreign]).size, 8)
})
