// npm run cluster:status [-- --watch --json urls]: prints what each process reports on its metrics port. Without addresses: the processes
// of `npm run cluster`.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readStatusOptions, runCommand, type StatusOptions, statusUsage, UsageFault } from './_options.ts'
import type { Part, Status } from './_part.ts'
import { writeTable } from './_table.ts'

const stateFile = fileURLToPath(new URL('../../.cache/cluster.json', import.meta.url))
const watchMs = 1_000

type Known = Pick<Part, 'name' | 'role' | 'baseUrl' | 'metricsUrl'>

async function read(part: Known): Promise<Status | null> {
  return await fetch(`${part.metricsUrl}/status`, { signal: AbortSignal.timeout(1_000) }).then(
    async (response) => (await response.json()) as Status,
    () => null,
  )
}

function listParts(urls: readonly string[]): Known[] {
  if (urls.length > 0) return urls.map((url) => ({ name: url, role: 'actor', baseUrl: url, metricsUrl: url }))
  if (!existsSync(stateFile))
    throw new UsageFault(
      'no `npm run cluster` runs on this machine: start one, or pass the addresses of metrics ports, such as http://host:9464',
    )
  return JSON.parse(readFileSync(stateFile, 'utf8')) as Known[]
}

async function show({ watch, json, urls }: StatusOptions): Promise<void> {
  for (;;) {
    const parts = listParts(urls)
    const statuses = await Promise.all(
      parts.map(async (part) => ({ part: { ...part, pid: () => null }, status: await read(part) })),
    )
    const all = statuses.map(({ status }) => status)
    process.stdout.write(json ? `${JSON.stringify(all)}\n` : `${writeTable(statuses)}\n`)
    if (!watch) return
    await new Promise((done) => setTimeout(done, watchMs))
  }
}

await runCommand(
  async () => {
    const options = readStatusOptions(process.argv.slice(2))
    if (options === null) process.stdout.write(`${statusUsage}\n`)
    else await show(options)
  },
  () => null,
)
