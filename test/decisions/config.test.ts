import test from 'ava'
import { z } from 'zod'
import { completeConfig, proposalIn } from '../../src/decisions/config.ts'
import { usualRules } from '../_kit/usual-rules.ts'

test('a config is complete: given values, and defaults for the others', (t) => {
  t.deepEqual(completeConfig({ tool_name: 'search' }, usualRules(600)), {
    tool_name: 'search',
    tool_version: null,
    input_hash: null,
    agent_id: null,
    task_type: null,
    freshness_s: 600,
    holdout_rate: 0.05,
    floor: 0.95,
    alpha: 0.05,
    min_samples: 30,
    evidence: {},
  })
  const whole = {
    tool_name: 'search',
    tool_version: '2',
    input_hash: 'a',
    agent_id: '0190a0a0-0000-7000-8000-000000000000',
    task_type: 'triage',
    freshness_s: 60,
    holdout_rate: 0.2,
    floor: 0.9,
    alpha: 0.01,
    min_samples: 100,
    evidence: { trace_ids: ['a'] },
    note: 'kept',
  }
  t.deepEqual(completeConfig(whole, usualRules(600)), whole)
})

test('null is treated as omitted', (t) => {
  const nothing = { task_type: null, freshness_s: null, holdout_rate: null, evidence: null }
  t.deepEqual(
    completeConfig({ tool_name: 'search', ...nothing }, usualRules(600)),
    completeConfig({ tool_name: 'search' }, usualRules(600)),
  )
})

test('a version of a tool that no database can store is refused', (t) => {
  for (const tool_version of ['1\0', '1\uD800']) {
    const { error } = proposalIn.safeParse({ type: 'reuse_identity', tool_name: 'search', tool_version })
    t.like(error?.issues[0], { path: ['tool_version'], params: { type: 'string_unicode' } })
  }
})

test('the document has the form of an input hash that is checked', (t) => {
  const schema = z.toJSONSchema(proposalIn.shape.input_hash, { io: 'input', unrepresentable: 'any' })
  const documented = new RegExp(schema.anyOf?.[0]?.pattern ?? '')
  for (const input_hash of ['sha256:0f', '', 'a b']) {
    const { success } = proposalIn.safeParse({ type: 'reuse_identity', tool_name: 'search', input_hash })
    t.is(documented.test(input_hash), success, input_hash)
  }
})

test('a config beyond a limit is refused before the schema reads its members', (t) => {
  let reads = 0
  const member = { enumerable: true, get: () => (reads += 1) }
  const names = Array.from({ length: 60_000 }, (_, at) => `key_${at}`)
  const evidence = Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, member])))
  const { error } = proposalIn.safeParse({ type: 'reuse_identity', tool_name: 'search', config: { evidence } })
  t.like(error?.issues[0], { path: ['config'], params: { type: 'string_too_long' } })
  // The values are listed once. The schema would read them once more.
  t.is(reads, names.length)
})

test('the limit of a config is a number of characters, whatever it consists of', (t) => {
  const isTaken = (count: number) => {
    const config = { note: Array.from({ length: count }, () => 1) }
    return proposalIn.safeParse({ type: 'reuse_identity', tool_name: 'search', config }).success
  }
  const most = Math.floor((16_384 - '{"note":[]}'.length + 1) / 2)
  t.true(isTaken(most))
  t.false(isTaken(most + 1))
})
