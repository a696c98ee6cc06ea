// The CPU budget of the trace view for 10,000 and 50,000 spans: the time must not grow faster than the trace.
import test from 'ava'
import { leastCpuMs, measureLooks } from '../../../test/_kit/looks.ts'
import { makeAxis } from '../../src/trace/axis.ts'
import { sumTokens } from '../../src/trace/bars.ts'
import { findCriticalPath } from '../../src/trace/critical-path.ts'
import { errorRanks, findRanks, makeFindIndex } from '../../src/trace/find.ts'
import { flatten, foldAll, unfoldAll } from '../../src/trace/fold.ts'
import { layOutLanes } from '../../src/trace/lanes.ts'
import { drawMinimap } from '../../src/trace/minimap.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { manySpans } from './_spans.ts'

const spans = { small: manySpans(10_000), large: manySpans(50_000) }
const trees = { small: buildTree(spans.small), large: buildTree(spans.large) }
type Size = keyof typeof spans

/** The unit of the budget: the CPU time, in ms, of reading 1,000,000 bytes five times. Each work may take a fixed number of units. */
const unitMs = measureLooks(1_000_000, 5)

const works: Readonly<Record<string, { readonly units: number; readonly run: (size: Size) => unknown }>> = {
  tree: { units: 3, run: (size) => buildTree(spans[size]) },
  flatten: { units: 1, run: (size) => flatten(trees[size], unfoldAll(trees[size])) },
  'fold all': { units: 1, run: (size) => flatten(trees[size], foldAll(trees[size])) },
  'find index': { units: 3, run: (size) => makeFindIndex(spans[size]) },
  'compressed axis': { units: 3, run: (size) => makeAxis(trees[size], true) },
  'sums of tokens': { units: 1, run: (size) => sumTokens(trees[size]) },
  errors: { units: 1, run: (size) => errorRanks(trees[size]) },
  'critical path': { units: 2, run: (size) => findCriticalPath(trees[size]) },
  lanes: { units: 2, run: (size) => layOutLanes(trees[size]) },
}

for (const [name, { units, run }] of Object.entries(works)) {
  test.serial(`${name}: 10,000 spans keep the budget and 50,000 take no more than their share`, (t) => {
    run('small')
    const small = leastCpuMs(() => run('small'), units * unitMs)
    t.true(small <= units * unitMs, `${name} took ${small} ms, a unit is ${unitMs} ms`)
    const large = leastCpuMs(() => run('large'), 5 * units * unitMs)
    t.true(large <= 5 * units * unitMs, `${name} of 50,000 took ${large} ms, a unit is ${unitMs} ms`)
  })
}

test.serial('find in 10,000 and 50,000 spans keeps the budget', (t) => {
  for (const [size, units] of [
    ['small', 1],
    ['large', 5],
  ] as const) {
    const index = makeFindIndex(spans[size])
    const find = (): Int32Array => findRanks(trees[size], index, 'GPT-4.1')
    t.is(find().length, spans[size].length / 10)
    const took = leastCpuMs(find, units * unitMs)
    t.true(took <= units * unitMs, `took ${took} ms, a unit is ${unitMs} ms`)
  }
})

test.serial('the minimap of 10,000 and 50,000 spans keeps the budget', (t) => {
  for (const [size, units] of [
    ['small', 2],
    ['large', 10],
  ] as const) {
    const axis = makeAxis(trees[size], false)
    const draw = () => drawMinimap(trees[size], axis, new Int32Array(0), { width: 1_200, height: 64 })
    const took = leastCpuMs(draw, units * unitMs)
    t.true(took <= units * unitMs, `took ${took} ms, a unit is ${unitMs} ms`)
  }
})

test.serial('the rows of a tree are numbers, not objects', (t) => {
  const { spans: _, missingIds, ...rest } = trees.large
  t.deepEqual(missingIds, [])
  for (const [name, value] of Object.entries(rest)) t.true(typeof value === 'number' || ArrayBuffer.isView(value), name)
})
