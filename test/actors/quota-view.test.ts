import test from 'ava'
import fc from 'fast-check'
import { grantLifetimeMs, makeQuotaView } from '../../src/actors/quota-view.ts'
import { inSoak, seed } from '../_kit/soak.ts'

const load = (quota: number | null, accepted: number) => {
  const view = makeQuotaView()
  view.load({ quota, accepted, monthEndsInMs: 1e9 }, 0)
  return view
}

test('a plan without a quota grants everything without counting', (t) => {
  const view = load(null, 10)
  t.is(view.reserve('a', 1_000_000, 0), null)
  t.false(view.isShort('a', 1_000_000))
  t.is(view.outstanding(), 0)
})

test('grants shrink to the remaining quota and then to zero', (t) => {
  const view = load(100, 40)
  t.is(view.reserve('a', 50, 0), 50)
  t.true(view.isShort('b', 11))
  t.is(view.reserve('b', 30, 0), 10)
  t.is(view.reserve('c', 1, 0), 0)
})

test('the same batch gets the same grant and counts once', (t) => {
  const view = load(100, 0)
  t.is(view.reserve('a', 60, 0), 60)
  t.is(view.reserve('a', 60, 10), 60)
  t.is(view.outstanding(), 60)
  t.is(view.reserve('b', 60, 10), 40)
})

test('settling a grant counts the stored spans and returns the rest', (t) => {
  const view = load(100, 0)
  view.reserve('a', 60, 0)
  view.settle('a', 25, 5)
  t.is(view.outstanding(), 0)
  t.is(view.reserve('b', 100, 5), 75)
})

test('a grant expires, and the view is then stale because the outcome is unknown', (t) => {
  const view = load(100, 0)
  view.reserve('a', 60, 0)
  t.false(view.isStale(grantLifetimeMs - 1))
  t.true(view.isStale(grantLifetimeMs))
  t.is(view.outstanding(), 0)
})

test('asking again keeps a grant alive without ending those after it late', (t) => {
  const view = load(100, 0)
  view.reserve('a', 10, 0)
  view.reserve('b', 10, 1_000)
  view.reserve('a', 10, 2_000)
  t.false(view.isStale(grantLifetimeMs + 999))
  t.is(view.outstanding(), 20)
  t.true(view.isStale(grantLifetimeMs + 1_000))
  t.is(view.outstanding(), 10)
})

test('the view is stale when the month ends, after a minute, and when it was marked as uncertain', (t) => {
  const view = makeQuotaView()
  t.true(view.isStale(0))
  view.load({ quota: 1, accepted: 0, monthEndsInMs: 500 }, 0)
  t.false(view.isStale(499))
  t.true(view.isStale(500))
  view.load({ quota: 1, accepted: 0, monthEndsInMs: 1e9 }, 500)
  t.false(view.isStale(60_499))
  t.true(view.isStale(60_500))
  view.load({ quota: 1, accepted: 0, monthEndsInMs: 1e9 }, 60_500)
  view.invalidate()
  t.true(view.isStale(60_501))
})

type Step =
  | { do: 'reserve'; key: string; spans: number }
  | { do: 'settle'; key: string; share: number }
  | { do: 'pass'; ms: number }
  | { do: 'load' }

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('reserve' as const), key, spans: fc.integer({ min: 0, max: 60 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      key,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'load' as const }) },
)

test('under any interleaving, grants stay within quota - accepted, and so do the writes to the database', (t) => {
  const run = (quota: number, steps: readonly Step[]): void => {
    const view = makeQuotaView()
    // A model of the database and of the notices that the view has received.
    let stored = 0
    let seen = 0
    let nowMs = 0
    const grants = new Map<string, { spans: number; untilMs: number }>()
    const read = (): void => {
      view.load({ quota, accepted: stored, monthEndsInMs: 1e12 }, nowMs)
      seen = stored
    }
    const live = (): number => [...grants.values()].reduce((sum, grant) => sum + grant.spans, 0)
    const expire = (): void => {
      for (const [name, grant] of grants) if (grant.untilMs <= nowMs) grants.delete(name)
    }
    read()
    for (const one of steps) {
      if (one.do === 'pass') nowMs += one.ms
      expire()
      if (one.do === 'load') read()
      if (one.do === 'reserve') {
        const known = grants.get(one.key)
        const left = Math.max(0, quota - seen - live())
        const granted = view.reserve(one.key, one.spans, nowMs) ?? Number.NaN
        if (granted !== (known === undefined ? Math.min(one.spans, left) : known.spans))
          throw new Error(`granted ${granted}`)
        if (granted > 0) grants.set(one.key, { spans: granted, untilMs: nowMs + grantLifetimeMs })
      }
      if (one.do === 'settle') {
        const grant = grants.get(one.key)
        if (grant === undefined) continue
        const inserted = Math.floor(grant.spans * one.share)
        if (stored + inserted > quota) throw new Error(`${stored} + ${inserted} is over ${quota}`)
        stored += inserted
        seen += inserted
        grants.delete(one.key)
        view.settle(one.key, inserted, nowMs)
      }
      // Reading at this time ends expired grants.
      view.isStale(nowMs)
      if (view.outstanding() !== live()) throw new Error(`${view.outstanding()} outstanding, not ${live()}`)
    }
  }
  t.notThrows(() =>
    fc.assert(fc.property(fc.integer({ min: 0, max: 200 }), fc.array(step, { maxLength: 60 }), run), {
      numRuns: inSoak(300, 1_000),
      seed,
    }),
  )
})
