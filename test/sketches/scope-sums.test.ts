import test from 'ava'
import { kinds } from '../../src/event/event.ts'
import { isChange, maxScopes, type ScopeDelta, type ScopeIdentity, scopeSumsOf } from '../../src/sketches/scope-sums.ts'

const scope = (name: string | null, dialect: string | null = null): ScopeIdentity => ({ name, version: null, dialect })

test('one minute, scope and kind has one object of sums, and another has its own', (t) => {
  const delta: ScopeDelta = new Map()
  const one = scopeSumsOf(delta, 60_000, scope('a'), 'llm')
  t.is(scopeSumsOf(delta, 60_000, scope('a'), 'llm'), one)
  const others = [
    scopeSumsOf(delta, 0, scope('a'), 'llm'),
    scopeSumsOf(delta, 60_000, scope('a'), 'tool'),
    scopeSumsOf(delta, 60_000, scope('a', 'opentelemetry'), 'llm'),
    scopeSumsOf(delta, 60_000, scope(null), 'llm'),
    scopeSumsOf(delta, 60_000, { name: 'a', version: '1', dialect: null }, 'llm'),
    // The fields of a scope are separated in its key.
    scopeSumsOf(delta, 60_000, { name: 'a1', version: null, dialect: null }, 'llm'),
  ]
  t.is(new Set([one, ...others]).size, 7)
  t.like(one, { minuteMs: 60_000, kind: 'llm', scope: scope('a') })
})

test('a minute is bounded: what comes beyond is added to the scope that is named other', (t) => {
  const delta: ScopeDelta = new Map()
  const count = maxScopes * kinds.length + 5
  for (let nth = 0; nth < count; nth += 1) scopeSumsOf(delta, 0, scope(`scope ${nth}`), 'llm').spans += 1
  const minute = [...(delta.get(0)?.values() ?? [])]
  t.is(minute.length, maxScopes * kinds.length + 1)
  t.is(
    minute.reduce((sum, { spans }) => sum + spans, 0),
    count,
  )
  t.like(minute.at(-1), { scope: scope('other'), spans: 5 })
  // Known scopes continue to be counted, and so does another minute.
  t.is(scopeSumsOf(delta, 0, scope('scope 3'), 'llm').spans, 1)
  t.is(scopeSumsOf(delta, 60_000, scope('late'), 'llm').scope.name, 'late')
})

test('sums are a change where anything was added or taken away', (t) => {
  const delta: ScopeDelta = new Map()
  const fresh = (): ReturnType<typeof scopeSumsOf> => {
    delta.clear()
    return scopeSumsOf(delta, 0, scope('a'), 'llm')
  }
  t.false(isChange(fresh()))
  const names = ['spans', 'toldTwice', 'repeated', 'unpriced', 'costDisagreements', 'agentsUnnamed'] as const
  for (const name of names) {
    const sums = fresh()
    sums[name] -= 1
    t.true(isChange(sums), name)
  }
})
