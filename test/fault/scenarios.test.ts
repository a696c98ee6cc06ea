// What the scenarios measure and replace, without a cluster.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import test from 'ava'
import { listen } from '../../src/base/listen.ts'
import { until } from '../_kit/until.ts'
import { askOften, findDoubtMs } from './_hang-scenario.ts'
import type { Mutation } from './_mutant.ts'
import { withoutFence, withoutLock } from './_process-scenarios.ts'
import { compatibleEdits, muteEdits } from './_releases.ts'
import { scenarios } from './_soak-list.ts'

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

const root = new URL('../../', import.meta.url)

/** Returns the mutations of the clusters of all scenarios, of `cluster-controls.soak.ts`, and of the next releases, by name. */
async function listMutations(): Promise<[name: string, mutations: readonly Mutation[]][]> {
  const lists: [string, readonly Mutation[]][] = [
    ['cluster-controls', [withoutFence, withoutLock]],
    ['the compatible release', compatibleEdits],
    ['the mute release', muteEdits],
  ]
  for (const [name, scenario] of Object.entries(scenarios))
    await scenario({
      run: (_run, { mutations = [] } = {}) => {
        lists.push([name, mutations])
        return Promise.resolve({ faults: [], figures: {} })
      },
      stop: () => Promise.resolve(),
    })
  return lists
}

test('the texts that the controls and the next releases of the soak replace are in the source', async (t) => {
  let count = 0
  for (const [name, mutations] of await listMutations()) {
    const sources = new Map<string, string>()
    for (const { file, from, to } of mutations) {
      const source = sources.get(file) ?? readFileSync(new URL(file, root), 'utf8')
      t.true(source.includes(from), `${name}: ${file} does not hold ${from}`)
      sources.set(file, source.replace(from, to))
      count += 1
    }
  }
  t.true(count > 14, String(count))
})
