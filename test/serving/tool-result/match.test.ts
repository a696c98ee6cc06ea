import test from 'ava'
import { matchRule } from '../../../src/serving/tool-result/match.ts'
import { openRuleBooks } from '../../../src/serving/tool-result/rule-book.ts'
import { serveRules } from './_rules.ts'

const listed = Array.from({ length: 500 }, (_, nth) => `i${nth}`)
const seeds = [
  { id: 'one', input: 'i' },
  { id: 'many', inputs: listed },
  { id: 'nothing', inputs: [] },
  { id: 'dead', type: 'suppress_dead', input: 'ignored' },
  { id: 'broken', input: null },
  { id: 'other', type: 'shorten_prompt', input: 'i' },
]

test('a rule serves the inputs that it lists, suppress_dead any scope, and no other type serves', async (t) => {
  const book = openRuleBooks()('w', await serveRules(1, seeds))
  const ask = (decisionId: string, inputHash: string | null, scopeHash: string | null = null): string => {
    const matched = matchRule(book, { decisionId, inputHash, scopeHash })
    return matched.ok ? `${matched.value.rule.decisionId} ${matched.value.hash}` : matched.code
  }
  t.is(ask('one', 'i'), 'one i')
  for (const input of ['j', '', null, 'a\0b']) t.is(ask('one', input), 'wrong_input')
  for (const input of listed) t.is(ask('many', input, 'ignored'), `many ${input}`)
  for (const input of ['i', 'i500', 'i-1', '', null, 'a\0b']) t.is(ask('many', input), 'wrong_input')
  for (const id of ['nothing', 'broken']) t.is(ask(id, 'i0'), 'wrong_input')
  for (const input of ['i', 'j', null]) t.is(ask('dead', input, 's'), 'dead s')
  for (const scope of [null, '', 'a\0b', 's'.repeat(129)]) t.is(ask('dead', 'i', scope), 'no_scope')
  for (const id of ['other', 'missing', '__proto__']) t.is(ask(id, 'i', 's'), 'unknown_rule')
})

test('each snapshot is parsed once', async (t) => {
  const bookOf = openRuleBooks()
  const first = await serveRules(1, seeds)
  t.is(bookOf('w', first), bookOf('w', first))
  t.not(bookOf('w', await serveRules(2, seeds)), bookOf('w', first))
})

test('answers are cached by workspace, rule and query', async (t) => {
  const bookOf = openRuleBooks()
  const same = { id: 'one', inputs: ['i', 'j'] }
  const others = [
    same,
    { ...same, tool: 'fetch' },
    { ...same, version: '2' },
    { ...same, agentId: 'a' },
    { ...same, freshnessS: 61 },
    { ...same, type: 'suppress_dead' },
    { ...same, id: 'two' },
  ]
  const keysOf = async (workspaceId: string, seed: (typeof others)[number], hash = 'i'): Promise<string[]> => {
    const book = bookOf(workspaceId, await serveRules(1, [seed]))
    const matched = matchRule(book, { decisionId: seed.id, inputHash: hash, scopeHash: hash })
    return matched.ok ? [matched.value.key] : []
  }
  const keys = await Promise.all([
    ...others.map(async (seed) => await keysOf('w', seed)),
    keysOf('w', same, 'j'),
    keysOf('v', same),
  ])
  t.is(new Set(keys.flat()).size, 9)
})
