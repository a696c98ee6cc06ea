import test from 'ava'
import { buildTree, mark, type Tree } from '../../src/trace/tree.ts'
import { idsOf, originMs, span } from './_spans.ts'

const marksOf = (tree: Tree, id: string): number =>
  tree.marks[tree.spans.findIndex(({ span_id }) => span_id === id)] ?? -1
const rowsOf = (tree: Tree): string[] => idsOf(tree, tree.order)
const depthsOf = (tree: Tree): number[] => [...tree.order].map((node) => tree.depth[node] ?? -1)

test('children stand below their parent in the order of their start', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: 100 }),
    span('a', { atMs: 1, parent: 'root' }),
    span('b', { atMs: 2, parent: 'root' }),
    span('a1', { atMs: 3, parent: 'a' }),
    span('a2', { atMs: 4, parent: 'a' }),
  ])
  t.deepEqual(rowsOf(tree), ['root', 'a', 'a1', 'a2', 'b'])
  t.deepEqual(depthsOf(tree), [0, 1, 2, 2, 1])
  t.deepEqual([...tree.reach], [5, 3, 1, 1, 1])
  t.is(tree.fromMs, originMs)
  t.is(tree.toMs, originMs + 100)
})

test('an empty trace has an empty tree', (t) => {
  const tree = buildTree([])
  t.is(tree.size, 0)
  t.is(tree.toMs, tree.fromMs)
})

test('spans of a parent that was not received stand together below a node for it, where the first of them starts', (t) => {
  const tree = buildTree([
    span('root'),
    span('x', { atMs: 1, parent: 'lost' }),
    span('later root', { atMs: 2 }),
    span('y', { atMs: 3, parent: 'lost' }),
    span('x1', { atMs: 4, parent: 'x', duration_ms: 60 }),
  ])
  t.deepEqual(rowsOf(tree), ['root', '?lost', 'x', 'x1', 'y', 'later root'])
  t.deepEqual(depthsOf(tree), [0, 0, 1, 2, 1, 0])
  const lost = tree.order[1] ?? -1
  t.is(tree.marks[lost], mark.missing)
  t.is(tree.startMs[lost], originMs + 1)
  t.is(tree.endMs[lost], originMs + 13)
})

test('a circle of parents is cut above its earliest span, and none of it is lost', (t) => {
  const tree = buildTree([
    span('root'),
    span('a', { atMs: 1, parent: 'c' }),
    span('b', { atMs: 2, parent: 'a' }),
    span('c', { atMs: 3, parent: 'b' }),
    span('below', { atMs: 4, parent: 'b' }),
    span('self', { atMs: 5, parent: 'self' }),
  ])
  t.deepEqual(rowsOf(tree), ['root', 'a', 'b', 'c', 'below', 'self'])
  t.deepEqual(depthsOf(tree), [0, 0, 1, 2, 2, 0])
  t.is(marksOf(tree, 'a') & mark.cycleCut, mark.cycleCut)
  t.is(marksOf(tree, 'b') & mark.cycleCut, 0)
  t.is(marksOf(tree, 'self') & mark.cycleCut, mark.cycleCut)
})

test('a span whose end is not known is open and reaches as far as what lies below it', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: null }),
    span('a', { atMs: 5, parent: 'root', duration_ms: null }),
    span('a1', { atMs: 7, parent: 'a', duration_ms: 40 }),
  ])
  t.is(marksOf(tree, 'root'), mark.open)
  t.is(tree.endMs[0], originMs + 47)
  t.is(tree.endMs[1], originMs + 47)
})

test('a child that starts before its parent is flagged and stays at its own time', (t) => {
  const tree = buildTree([
    span('early', { parent: 'root' }),
    span('root', { atMs: 250 }),
    span('same', { atMs: 250, parent: 'root' }),
    span('rounded', { atMs: 249, parent: 'root' }),
  ])
  t.is(marksOf(tree, 'early'), mark.early)
  t.is(tree.startMs[0], originMs)
  t.is(marksOf(tree, 'same'), 0)
  t.is(marksOf(tree, 'rounded'), 0, 'times are known to the millisecond')
})

test('the earliest of spans that share an id is the parent', (t) => {
  const tree = buildTree([
    span('twice', { name: 'first' }),
    span('twice', { atMs: 5, name: 'second' }),
    span('child', { atMs: 6, parent: 'twice' }),
  ])
  t.is(tree.parent[2], 0)
  t.is(tree.size, 3)
})

test('a chain of 20,000 spans is built without recursion', (t) => {
  const spans = Array.from({ length: 20_000 }, (_, node) =>
    span(`s${node}`, { atMs: node, parent: node === 0 ? null : `s${node - 1}` }),
  )
  const tree = buildTree(spans)
  t.is(tree.depth[19_999], 19_999)
  t.is(tree.reach[0], 20_000)
})
