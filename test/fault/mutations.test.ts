import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Mutation } from './_mutant.ts'
import { withoutFence, withoutLock } from './_process-scenarios.ts'
import { makeCompatibleRelease, makeMuteRelease } from './_releases.ts'
import { scenarios } from './_soak-list.ts'

const root = new URL('../../', import.meta.url)

/** Returns the mutations of the clusters of all scenarios, and of `cluster-controls.soak.ts`, by name. */
async function listMutations(): Promise<[name: string, mutations: readonly Mutation[]][]> {
  const lists: [string, readonly Mutation[]][] = [['cluster-controls', [withoutFence, withoutLock]]]
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

test('the texts that the controls of the soak replace are in the source', async (t) => {
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
  t.true(count > 7, String(count))
})

for (const make of [makeCompatibleRelease, makeMuteRelease]) {
  test(`the texts that ${make.name} replaces are in the source`, (t) => {
    t.notThrows(() => make().remove())
  })
}
