import test from 'ava'
import { makeAxis, wholeAxis } from '../../src/trace/axis.ts'
import { clipBar, figureBar, largestOf, sumCost, sumTokens, timeBar } from '../../src/trace/bars.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { span } from './_spans.ts'

const call = { kind: 'llm', input_tokens: 100, output_tokens: 10, cost_usd: 0.5 } as const
const tree = buildTree([
  span('root', { kind: 'agent', duration_ms: 100, input_tokens: 999, cost_usd: 7 }),
  span('outer', { ...call, atMs: 10, parent: 'root' }),
  span('inner', { ...call, atMs: 12, parent: 'outer' }),
  span('unpriced', { ...call, atMs: 50, parent: 'root', cost_usd: null }),
  span('tool', { atMs: 90, parent: 'root' }),
])

test('a container shows the sum of its calls, whatever it reports itself, and a call inside of a call counts once', (t) => {
  t.deepEqual([...sumCost(tree)], [0.5, 0.5, 0.5, Number.NaN, Number.NaN])
  t.deepEqual([...sumTokens(tree)], [220, 110, 110, 110, Number.NaN])
})

test('bars by a figure start at the left and are as wide as their share of the largest', (t) => {
  const tokens = sumTokens(tree)
  t.is(largestOf(tokens), 220)
  t.deepEqual(figureBar(tokens, 220, 1), { left: 0, width: 0.5 })
  t.deepEqual(figureBar(tokens, 220, 4), { left: 0, width: 0 })
  t.deepEqual(figureBar(sumCost(buildTree([span('x')])), 0, 0), { left: 0, width: 0 })
})

test('bars by time follow the zoom and are clipped to it', (t) => {
  const axis = makeAxis(tree, false)
  const bar = timeBar(tree, axis, wholeAxis, 3)
  t.true(Math.abs(bar.left - 0.5) < 1e-9 && Math.abs(bar.width - 0.1) < 1e-9)
  const zoom = { from: 0.5, to: 0.75 }
  const root = timeBar(tree, axis, zoom, 0)
  t.deepEqual(clipBar(root), { left: 0, width: 1 })
  t.is(clipBar(timeBar(tree, axis, zoom, 4)), null)
})
