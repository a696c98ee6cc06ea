import test from 'ava'
import {
  carryFolded,
  flatten,
  foldAll,
  reveal,
  rowOf,
  setFolded,
  setFoldedBelow,
  toggleFolded,
  unfoldAll,
} from '../../src/trace/fold.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { idsOf, span } from './_spans.ts'

const tree = buildTree([
  span('root'),
  span('a', { atMs: 1, parent: 'root' }),
  span('a1', { atMs: 2, parent: 'a' }),
  span('a11', { atMs: 3, parent: 'a1' }),
  span('b', { atMs: 4, parent: 'root' }),
  span('b1', { atMs: 5, parent: 'b' }),
])
const seen = (folded: Uint8Array): string[] => idsOf(tree, flatten(tree, folded))
const open = unfoldAll(tree)

test('nothing folded shows all, all folded shows the roots', (t) => {
  t.deepEqual(seen(open), ['root', 'a', 'a1', 'a11', 'b', 'b1'])
  t.deepEqual(seen(foldAll(tree)), ['root'])
})

test('a folded node hides what lies below it and nothing else, and remembers what was folded there', (t) => {
  const inner = setFolded(open, 2, true)
  const outer = setFolded(inner, 1, true)
  t.deepEqual(seen(outer), ['root', 'a', 'b', 'b1'])
  t.deepEqual(seen(setFolded(outer, 1, false)), ['root', 'a', 'a1', 'b', 'b1'])
  t.deepEqual(seen(open), ['root', 'a', 'a1', 'a11', 'b', 'b1'], 'the list before is as it was')
})

test('folding all below leaves other branches as they are', (t) => {
  const folded = setFoldedBelow(tree, open, 1, true)
  t.deepEqual([...folded], [0, 1, 1, 0, 0, 0])
  t.deepEqual([...setFoldedBelow(tree, foldAll(tree), 1, false)], [1, 0, 0, 0, 1, 0])
})

test('a node is folded and unfolded in turn, alone or with all below it', (t) => {
  t.deepEqual([...toggleFolded(tree, open, 1, false)], [0, 1, 0, 0, 0, 0])
  t.deepEqual([...toggleFolded(tree, open, 1, true)], [0, 1, 1, 0, 0, 0])
  t.deepEqual([...toggleFolded(tree, foldAll(tree), 1, true)], [1, 0, 0, 0, 1, 0])
})

test('a span that is hidden can be revealed', (t) => {
  const revealed = reveal(tree, foldAll(tree), 3)
  t.deepEqual(seen(revealed), ['root', 'a', 'a1', 'a11', 'b'])
  t.is(reveal(tree, open, 3), open)
})

test('the row of a hidden span is that of the nearest row above it', (t) => {
  const rows = flatten(tree, setFolded(open, 1, true))
  t.is(rowOf(tree, rows, 4), 2)
  t.is(rowOf(tree, rows, 3), 1)
  t.is(rowOf(tree, new Int32Array(0), 3), -1)
})

test('what was folded stays folded when the trace is read again with more spans', (t) => {
  const grown = buildTree([
    span('root'),
    span('new', { parent: 'root' }),
    span('a', { atMs: 1, parent: 'root' }),
    span('a1', { atMs: 2, parent: 'a' }),
  ])
  t.deepEqual(idsOf(grown, flatten(grown, carryFolded(tree, setFolded(open, 1, true), grown))), ['root', 'new', 'a'])
})
