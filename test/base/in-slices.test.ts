import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { inSlices, openPauses, sliceBytes } from '../../src/base/in-slices.ts'

test('slices cover the bytes in order, and other work runs between two slices', async (t) => {
  const seen: [number, number][] = []
  const bytes = 3 * sliceBytes + 1
  const done = inSlices(bytes, (from, to) => seen.push([from, to]))
  for (let turn = 1; turn <= 4; turn++) {
    t.is(seen.length, turn, 'one slice a turn')
    await setImmediate()
  }
  await done
  t.is(seen[0]?.[0], 0)
  t.is(seen.at(-1)?.[1], bytes)
  t.true(seen.every(([from, to], at) => to - from <= sliceBytes && from === (seen[at - 1]?.[1] ?? 0)))
})

test('work that fits into one slice runs at once', async (t) => {
  let visits = 0
  const done = inSlices(sliceBytes, () => visits++)
  t.is(visits, 1)
  await done
  await inSlices(0, () => visits++)
  t.is(visits, 1)
})

test('a long loop lets others have a turn after some hundred steps', async (t) => {
  const pause = openPauses()
  const seen: number[] = []
  for (let step = 1; step <= 1_500; step++) {
    const turn = pause()
    if (turn !== undefined) seen.push(step)
    await turn
  }
  t.deepEqual(seen, [512, 1_024])
})
