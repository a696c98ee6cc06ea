import test from 'ava'
import { errorRanks, findRanks, makeFindIndex, stepFrom } from '../../src/trace/find.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { idsOf, span } from './_spans.ts'

const tree = buildTree([
  span('root', { kind: 'agent', name: 'Answer' }),
  span('b', { atMs: 1, parent: 'root', name: 'chat', kind: 'llm', model: 'gpt-4.1-mini', status: 'error' }),
  span('a', { atMs: 2, parent: 'root', tool_name: 'search_docs', name: 'search search' }),
  span('c', { atMs: 3, parent: 'b', error_message: 'Timeout of the SEARCH service', status: 'error' }),
])
const index = makeFindIndex(tree.spans)
const found = (text: string): string[] =>
  idsOf(
    tree,
    [...findRanks(tree, index, text)].map((rank) => tree.order[rank] ?? -1),
  )

test('find looks at names, tools, models, errors and ids, whatever the case, and names each span once', (t) => {
  t.deepEqual(found('search'), ['c', 'a'])
  t.deepEqual(found('GPT-4.1'), ['b'])
  t.deepEqual(found('timeout of'), ['c'])
  t.deepEqual(found('answer'), ['root'])
})

test('find gives nothing for an empty text, an unknown one, or one that reaches over two fields', (t) => {
  t.deepEqual(found('  '), [])
  t.deepEqual(found('nowhere'), [])
  t.deepEqual(found('searchsearch_docs'), [])
})

test('steps go around the end of the list in both directions', (t) => {
  const ranks = Int32Array.of(2, 5, 9)
  t.is(stepFrom(ranks, 0, false), 0)
  t.is(stepFrom(ranks, 2, false), 1)
  t.is(stepFrom(ranks, 9, false), 0)
  t.is(stepFrom(ranks, 9, true), 1)
  t.is(stepFrom(ranks, 1, true), 2)
  t.is(stepFrom(new Int32Array(0), 1, false), -1)
})

test('errors are stepped through from top to bottom', (t) => {
  t.deepEqual(
    idsOf(
      tree,
      [...errorRanks(tree)].map((rank) => tree.order[rank] ?? -1),
    ),
    ['b', 'c'],
  )
})
