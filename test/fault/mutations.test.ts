import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Mutation } from './_mutant.ts'
import { withoutFence, withoutLock } from './_process-scenarios.ts'
import { compatibleEdits, muteEdits } from './_releases.ts'
import { scenarios } from './_soak-list.ts'

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
