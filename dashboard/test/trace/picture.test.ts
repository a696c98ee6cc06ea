import test from 'ava'
import { makeAxis } from '../../src/trace/axis.ts'
import { findCriticalPath } from '../../src/trace/critical-path.ts'
import { layOutLanes, spanAt } from '../../src/trace/lanes.ts'
import { drawMinimap, ink } from '../../src/trace/minimap.ts'
import { linkPreviousCalls, listTranscript } from '../../src/trace/transcript.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { idsOf, manySpans, originMs, span } from './_spans.ts'

test('the minimap gives each span at least one pixel, and shows errors and matches over others', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: 100, status: 'error' }),
    span('a', { atMs: 10, parent: 'root', duration_ms: 0 }),
    span('failed', { atMs: 50, parent: 'root', duration_ms: 10, status: 'error' }),
    span('wanted', { atMs: 99, parent: 'root', duration_ms: 1 }),
  ])
  const pixels = drawMinimap(tree, makeAxis(tree, false), Int32Array.of(3), { width: 10, height: 4 })
  const row = (y: number): string => [...pixels.subarray(y * 10, y * 10 + 10)].join('')
  t.deepEqual([0, 1, 2, 3].map(row), ['1111111111', '0100000000', '0000020000', '0000000003'])
  t.deepEqual([ink.span, ink.error, ink.match], [1, 2, 3])
})

test('the minimap of a large trace shows every error', (t) => {
  const tree = buildTree(manySpans(10_000))
  const pixels = drawMinimap(tree, makeAxis(tree, false), new Int32Array(0), { width: 800, height: 64 })
  t.true(pixels.includes(ink.error))
  t.is(pixels.length, 800 * 64)
})

test('the critical path goes back from the end through what ended last', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: 100 }),
    span('first', { atMs: 0, parent: 'root', duration_ms: 40 }),
    span('short', { atMs: 5, parent: 'root', duration_ms: 10 }),
    span('second', { atMs: 41, parent: 'root', duration_ms: 50 }),
    span('inside', { atMs: 60, parent: 'second', duration_ms: 31 }),
    span('beside', { atMs: 61, parent: 'second', duration_ms: 3 }),
  ])
  const path = findCriticalPath(tree)
  t.deepEqual(
    idsOf(
      tree,
      [...path.keys()].filter((node) => path[node] === 1),
    ),
    ['root', 'first', 'second', 'inside'],
  )
  t.deepEqual([...findCriticalPath(buildTree([]))], [])
})

test('the critical path holds a call whose end seems to lie behind that of its parent, since starts are cut to milliseconds', (t) => {
  // Before starts are cut to milliseconds: the root runs from 0.9 to 100.9 ms, and the calls run from 1.0 to 50.3 and from 50.2 to 100.8.
  const tree = buildTree([
    span('root', { duration_ms: 100 }),
    span('first', { atMs: 1, parent: 'root', duration_ms: 49.3 }),
    span('second', { atMs: 50, parent: 'root', duration_ms: 50.6 }),
  ])
  t.deepEqual([...findCriticalPath(tree)], [1, 1, 1])
})

test('a lane holds the spans of one agent: children below their parents, parallel ones beside each other', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: 100, agent_name: 'planner' }),
    span('one', { atMs: 1, parent: 'root', duration_ms: 30, agent_name: 'planner' }),
    span('two', { atMs: 2, parent: 'root', duration_ms: 30, agent_name: 'planner' }),
    span('three', { atMs: 50, parent: 'root', duration_ms: 30, agent_name: 'planner' }),
    span('other', { atMs: 51, parent: 'three', duration_ms: 10, agent_name: 'worker' }),
  ])
  const lanes = layOutLanes(tree)
  t.deepEqual(lanes.lanes, [
    { agent: 'planner', top: 0, rows: 3 },
    { agent: 'worker', top: 3, rows: 1 },
  ])
  t.deepEqual([...lanes.rowOf], [0, 1, 2, 1, 3])
  t.is(spanAt(tree, lanes, 1, originMs + 60, 0), 3)
  t.is(spanAt(tree, lanes, 1, originMs + 40, 0), -1)
})

test('calls one after the other share a row of the timeline, although the first seems to end within the second', (t) => {
  // Before starts are cut to milliseconds: from 1.0 to 50.3 ms, from 50.4 to 90.9, and a third one that runs in parallel with the second.
  const tree = buildTree([
    span('root', { duration_ms: 100 }),
    span('first', { atMs: 1, parent: 'root', duration_ms: 49.3 }),
    span('second', { atMs: 50, parent: 'root', duration_ms: 40.5 }),
    span('beside', { atMs: 50, parent: 'root', duration_ms: 20 }),
  ])
  t.deepEqual([...layOutLanes(tree).rowOf], [0, 1, 1, 2])
})

test('a transcript lists calls in reading order, indented by agents, and folds an agent', (t) => {
  const tree = buildTree([
    span('root', { kind: 'agent' }),
    span('chain', { atMs: 1, parent: 'root', kind: 'chain' }),
    span('llm', { atMs: 2, parent: 'chain', kind: 'llm' }),
    span('sub', { atMs: 3, parent: 'chain', kind: 'agent' }),
    span('tool', { atMs: 4, parent: 'sub' }),
    span('failed', { atMs: 5, parent: 'sub', kind: 'other', status: 'error' }),
  ])
  const open = listTranscript(tree, new Uint8Array(tree.size))
  t.deepEqual(idsOf(tree, open.nodes), ['root', 'llm', 'sub', 'tool', 'failed'])
  t.deepEqual([...open.levels], [0, 1, 1, 2, 2])
  const folded = new Uint8Array(tree.size)
  folded[3] = 1
  t.deepEqual(idsOf(tree, listTranscript(tree, folded).nodes), ['root', 'llm', 'sub'])
})

test('the call before is the last one of the same agent', (t) => {
  const llm = { kind: 'llm' } as const
  const tree = buildTree([
    span('a1', { ...llm, agent_name: 'a' }),
    span('b1', { ...llm, atMs: 1, agent_name: 'b' }),
    span('tool', { atMs: 2, agent_name: 'a' }),
    span('a2', { ...llm, atMs: 3, agent_name: 'a' }),
  ])
  t.deepEqual([...linkPreviousCalls(tree)], [-1, -1, -1, 0])
})
