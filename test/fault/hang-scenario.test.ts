// What the scenario of a hanging database measures.
import { createServer } from 'node:http'
import test from 'ava'
import { listen } from '../../src/base/listen.ts'
import { until } from '../_kit/until.ts'
import { askOften, findDoubtMs } from './_hang-scenario.ts'

type Row = readonly [atMs: number, status: number, tookMs: number, key?: string]
const doubtOf = (...rows: readonly Row[]): number =>
  findDoubtMs(rows.map(([atMs, status, tookMs, key = 'a']) => ({ key, atMs, status, tookMs })))

test('the time without rules begins with a refused request and ends with the last refusal or the first rules', (t) => {
  t.is(doubtOf([0, 200, 5], [100, 200, 5]), 0)
  t.is(doubtOf([0, 503, 2_000]), 2_000)
  t.is(doubtOf([0, 503, 50], [500, 503, 50], [1_000, 200, 5]), 550)
  t.is(doubtOf([0, 503, 2_000], [100, 503, 5], [200, 200, 1_900]), 2_000)
  t.is(doubtOf([0, 503, 2_000], [100, 200, 5]), 105)
  t.is(doubtOf([0, 503, 2_000], [100, 200, 5], [200, 503, 50]), 105)
})

test('rules for one workspace do not end the time without rules of another', (t) => {
  t.is(doubtOf([0, 503, 5, 'a'], [100, 200, 5, 'b'], [500, 503, 5, 'a'], [600, 200, 5, 'b'], [1_000, 200, 5, 'a']), 505)
})

test('requests that fail are reported when the answers are needed, and not before', async (t) => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  let requests = 0
  const server = createServer((request) => {
    requests += 1
    request.socket.destroy()
  })
  const port = await listen(server, 0, '127.0.0.1')
  const asking = askOften({ baseUrl: `http://127.0.0.1:${port}` }, [{ key: 'key' }])
  await until(() => requests >= 6)
  t.deepEqual(unhandled, [])
  await t.throwsAsync(asking.finish(), { instanceOf: TypeError })
  asking.stop()
  server.close()
})
