// Loaded by ava before each test file (`require`). Some test files share a process: ava is given the first of them, and this module imports
// the others. A process costs 0.2 s of CPU before its first test, and as much again for the modules that it loads.
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import test from 'ava'
import { recordCost } from './costs.ts'
import type { Companions } from './shared-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const companions = JSON.parse(process.env['TEST_COMPANIONS'] ?? '{}') as Companions
const first = fileURLToPath(test.meta.file)
const others = companions[relative(root, first)]

const costs = process.env['TEST_COSTS']
if (costs !== undefined) recordCost(costs, [relative(root, first), ...(others ?? [])])

if (others !== undefined) {
  const imports = [first, ...others.map((file) => join(root, file))].map(
    (file) => `import ${JSON.stringify(pathToFileURL(file).href)}`,
  )
  // ava accepts tests only from modules that are evaluated together.
  await import(`data:text/javascript,${encodeURIComponent(imports.join('\n'))}`)
}
