import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Mutation } from './_mutant.ts'
import { scenarios } from './_soak-list.ts'

const root = new URL('../../', import.meta.url)

test('the texts that the controls of the soak replace are in the source', async (t) => {
  const sources = new Map<string, string>()
  let count = 0
  const apply = ({ file, from, to }: Mutation, name: string): void => {
    const source = sources.get(file) ?? readFileSync(new URL(file, root), 'utf8')
    t.true(source.includes(from), `${name}: ${file} does not hold ${from}`)
    sources.set(file, source.replace(from, to))
    count += 1
  }
  for (const [name, scenario] of Object.entries(scenarios)) {
    sources.clear()
    await scenario({
      run: async (_run, { mutations = [] } = {}) => {
        for (const mutation of mutations) apply(mutation, name)
        return { faults: [], figures: {} }
      },
      stop: () => Promise.resolve(),
    })
  }
  t.true(count > 5, String(count))
})
