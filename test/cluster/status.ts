// npm run cluster:status [-- --watch --json urls]: prints what each process reports on its metrics port. Without addresses: the processes
// of `npm run cluster`.
import { runCommand } from '../_kit/command.ts'
import { readStatusOptions, type StatusOptions, statusUsage } from './_options.ts'
import { fetchStatus, listParts, stateFile } from './_status.ts'
import { writeTable } from './_table.ts'

const watchMs = 1_000
const withinMs = 1_000

async function show({ watch, json, urls }: StatusOptions): Promise<void> {
  for (;;) {
    const parts = listParts(urls, stateFile)
    const statuses = await Promise.all(
      parts.map(async (part) => ({ part: { ...part, pid: () => null }, status: await fetchStatus(part, withinMs) })),
    )
    const all = statuses.map(({ status }) => status)
    process.stdout.write(json ? `${JSON.stringify(all)}\n` : `${writeTable(statuses)}\n`)
    if (!watch) return
    await new Promise((done) => setTimeout(done, watchMs))
  }
}

await runCommand(async () => {
  const options = readStatusOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(`${statusUsage}\n`)
  else await show(options)
})
