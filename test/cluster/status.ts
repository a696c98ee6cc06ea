// npm run cluster:status [-- --watch] [urls]: prints what each process reports on its metrics port. Without addresses: the processes of
// `npm run cluster`.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Part, Status } from './_part.ts'
import { writeTable } from './_table.ts'

const { values, positionals } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const stateFile = fileURLToPath(new URL('../../.cache/cluster.json', import.meta.url))
const watchMs = 1_000

type Known = Pick<Part, 'name' | 'role' | 'baseUrl' | 'metricsUrl'>

async function read(part: Known): Promise<Status | null> {
  return await fetch(`${part.metricsUrl}/status`, { signal: AbortSignal.timeout(1_000) }).then(
    async (response) => (await response.json()) as Status,
    () => null,
  )
}

function listParts(): Known[] {
  if (positionals.length > 0)
    return positionals.map((url) => ({ name: url, role: 'actor', baseUrl: url, metricsUrl: url }))
  if (!existsSync(stateFile))
    throw new Error('no `npm run cluster` runs here: name the metrics addresses, as http://host:9464')
  return JSON.parse(readFileSync(stateFile, 'utf8')) as Known[]
}

try {
  for (;;) {
    const parts = listParts()
    const statuses = await Promise.all(
      parts.map(async (part) => ({ part: { ...part, pid: () => null }, status: await read(part) })),
    )
    const all = statuses.map(({ status }) => status)
    process.stdout.write(values.json ? `${JSON.stringify(all)}\n` : `${writeTable(statuses)}\n`)
    if (!values.watch) break
    await new Promise((done) => setTimeout(done, watchMs))
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
