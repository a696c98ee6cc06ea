// npm run bench: every bench, one after another, each in a process of its own. JSON lines with tables between them.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const benches = ['decode', 'ingest', 'settle', 'http'] as const
const deadlineMs = 240_000

for (const bench of benches) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${bench}.ts`, import.meta.url))], {
    stdio: 'inherit',
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  clearTimeout(killer)
  if (code !== 0) {
    process.stderr.write(`${bench} ended with ${code ?? 'a signal'}\n`)
    process.exitCode = 1
  }
}
