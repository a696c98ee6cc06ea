// Fails the build where a page would load more than its budget. Sizes are of gzip.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { measureBuild, overBudget } from './budget.ts'
import { listDistFiles } from './dist-files.ts'

const manifestUrl = new URL('../dist/.vite/manifest.json', import.meta.url)
const manifest = JSON.parse(readFileSync(manifestUrl, 'utf8'))
const sizes = new Map(
  listDistFiles().map(({ name, bytes }) => [
    name,
    // A font is compressed already.
    name.endsWith('.woff2') ? bytes.length : gzipSync(bytes, { level: 9 }).length,
  ]),
)
const figures = measureBuild(manifest, sizes)
const kilobytes = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`
for (const { name, bytes, budget } of figures) {
  process.stdout.write(`${bytes > budget ? 'OVER' : 'ok  '} ${name}: ${kilobytes(bytes)} of ${kilobytes(budget)}\n`)
}
if (overBudget(figures).length > 0) process.exitCode = 1
