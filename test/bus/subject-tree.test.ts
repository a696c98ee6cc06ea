import test from 'ava'
import { makeSubjectTree } from '../../src/bus/subject-tree.ts'

const matches = (pattern: string, subject: string): boolean => {
  const tree = makeSubjectTree<true>()
  tree.add(pattern, true)
  return tree.match(subject).length === 1
}

test('`*` matches exactly one word, and a final `>` one or more', (t) => {
  t.true(matches('a.*.c', 'a.b.c'))
  t.false(matches('a.*.c', 'a.b.b.c'))
  t.false(matches('a.*', 'a'))
  t.true(matches('a.>', 'a.b.c'))
  t.false(matches('a.>', 'a'))
  t.true(matches('>', 'a'))
  t.false(matches('a.b', 'a.b.c'))
})

test('a removed pattern no longer matches, and other patterns still do', (t) => {
  const tree = makeSubjectTree<string>()
  const remove = tree.add('a.b.c', 'one')
  tree.add('a.b.*', 'two')
  t.deepEqual(tree.match('a.b.c').sort(), ['one', 'two'])
  remove()
  remove()
  t.deepEqual(tree.match('a.b.c'), ['two'])
})

test('malformed patterns and subjects are bugs of the caller', (t) => {
  const tree = makeSubjectTree<true>()
  for (const pattern of ['', 'a..b', 'a.>.b']) t.throws(() => tree.add(pattern, true), undefined, pattern)
  for (const subject of ['', 'a..b', 'a.*', 'a.>']) t.throws(() => tree.match(subject), undefined, subject)
})
