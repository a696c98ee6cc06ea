import test from 'ava'
import { callMarkOf, describeMarks, nameOf } from '../../src/trace/describe-node.ts'
import { isFindKey, pageKeys, readGridKey } from '../../src/trace/keys.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { span } from './_spans.ts'

const key = (name: string, held: { shiftKey?: boolean; ctrlKey?: boolean; altKey?: boolean } = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

test('the grid takes arrows, Home, End, Page keys and Enter', (t) => {
  t.deepEqual(readGridKey(key('ArrowLeft', { shiftKey: true })), { does: 'fold', isDeep: true })
  t.deepEqual(readGridKey(key('ArrowRight')), { does: 'unfold', isDeep: false })
  t.deepEqual(readGridKey(key('End')), { does: 'move-to', end: 'last' })
  t.is(readGridKey(key('Enter'))?.does, 'open')
})

test('the grid does not handle keys that it does not know', (t) => {
  t.is(readGridKey(key('ArrowLeft', { altKey: true })), null)
  t.is(readGridKey(key('ArrowDown', { ctrlKey: true })), null)
  t.is(readGridKey(key('constructor')), null)
})

test('the first Ctrl-F opens the search of the trace, the second that of the browser', (t) => {
  t.true(isFindKey(key('f', { ctrlKey: true }), false))
  t.false(isFindKey(key('f', { ctrlKey: true }), true))
  t.false(isFindKey(key('f'), false))
})

test('each key of the page does one thing', (t) => {
  t.is(new Set(pageKeys.map(({ keys }) => keys)).size, pageKeys.length)
})

test('a tool call is real, served, held out or failed, and nothing else is marked', (t) => {
  t.is(callMarkOf(span('a')), 'real')
  t.is(callMarkOf(span('a', { served: true })), 'served')
  t.is(callMarkOf(span('a', { holdout: true })), 'holdout')
  t.is(callMarkOf(span('a', { holdout: true, status: 'error' })), 'error')
  t.is(callMarkOf(span('a', { kind: 'llm' })), null)
})

test('unusual properties of a span are described in words', (t) => {
  const tree = buildTree([
    span('early', { parent: 'root' }),
    span('root', { atMs: 250, duration_ms: null }),
    span('orphan', { atMs: 300, parent: 'gone' }),
  ])
  t.deepEqual(describeMarks(tree, 0), ['Starts 250 ms before its parent: the clocks differ'])
  t.deepEqual(describeMarks(tree, 1), ['End unknown'])
  t.deepEqual(describeMarks(tree, 2), [])
  t.is(nameOf(tree, 3), 'Parent gone not received')
})
