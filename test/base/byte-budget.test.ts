import test from 'ava'
import { makeByteBudget } from '../../src/base/byte-budget.ts'

function open(budget: ReturnType<typeof makeByteBudget>, owner: string) {
  const told = { cuts: 0 }
  return Object.assign(
    budget.open(owner, () => void (told.cuts += 1)),
    { told },
  )
}

test('holds reserve bytes up to the limit and release them once', (t) => {
  const budget = makeByteBudget(10)
  const [one, two] = [open(budget, 'a'), open(budget, 'a')]
  t.true(one.take(4))
  t.true(two.take(6))
  t.false(one.take(1))
  t.is(budget.taken(), 10)
  one.give()
  one.give()
  t.is(budget.taken(), 6)
  t.true(two.take(4))
  two.give()
  t.is(budget.taken(), 0)
})

test('the newest hold of the owner with most bytes is cut for an owner with fewer', (t) => {
  const budget = makeByteBudget(10)
  const [older, newer, middle] = [open(budget, 'large'), open(budget, 'large'), open(budget, 'middle')]
  t.true(older.take(4))
  t.true(newer.take(3))
  t.true(middle.take(3))
  const small = open(budget, 'small')
  t.true(small.take(2))
  t.deepEqual(
    [older, newer, middle].map(({ told }) => told.cuts),
    [0, 1, 0],
  )
  t.is(budget.taken(), 9)
  t.false(newer.take(1), 'what was cut takes nothing any more')
  newer.give()
  t.is(budget.taken(), 9)
})

test('no hold is cut for its own owner, or for an owner that would then hold more', (t) => {
  const budget = makeByteBudget(10)
  const [one, two] = [open(budget, 'a'), open(budget, 'b')]
  t.true(one.take(5))
  t.true(two.take(5))
  t.false(two.take(1))
  t.false(open(budget, 'a').take(1))
  t.deepEqual([one.told.cuts, two.told.cuts, budget.taken()], [0, 0, 10])
})

test('a hold that is marked as kept is not cut', (t) => {
  const budget = makeByteBudget(10)
  const whole = open(budget, 'large')
  t.true(whole.take(10))
  whole.keep()
  t.false(open(budget, 'small').take(1))
  t.deepEqual([whole.told.cuts, budget.taken()], [0, 10])
})
