// Rows that move between two requests of a list that is read by offset.
import test from 'ava'
import { joinPages } from '../../src/list/join-pages.ts'

test('a row that comes twice is listed once', (t) => {
  const row = (id: string) => ({ id })
  t.deepEqual(joinPages([[row('a'), row('b')], [row('b'), row('c')], []]), [row('a'), row('b'), row('c')])
  t.deepEqual(joinPages([]), [])
})
