// npm run bench: runs every bench, one after another, each in its own process. Prints JSON lines with tables between them.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// Each can be run by itself: node test/bench/<name>.ts, with the options listed here.
const benches = [
  ['decode'],
  ['measure'],
  ['ladder'],
  ['optimizer'],
  ['sdk'],
  ['ingest'],
  ['ingest', 'timescale'],
  ['steady'],
  ['large'],
  ['duplicates'],
  ['overload'],
  ['floods'],
  ['settle'],
  ['fold'],
  ['http'],
  ['starvation'],
  ['bus'],
  ['cluster'],
  ['apply'],
  // Each case has its own process: together they take longer than one process may run.
  ['dashboard', 'overview'],
  ['dashboard', 'changes'],
  ['dashboard', 'trace'],
  ['dashboard', 'long-trace'],
  ['dashboard', 'huge-span'],
  ['dashboard', 'chart'],
] as const
// Benches that wait until spans are settled take four minutes on an otherwise idle machine.
const deadlineMs = 540_000
const killMs = 30_000

for (const [bench, ...options] of benches) {
  const file = fileURLToPath(new URL(`./${bench}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
  // On SIGTERM a bench ends what it has started; one that hangs is killed.
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), deadlineMs),
    setTimeout(() => child.kill('SIGKILL'), deadlineMs + killMs),
  ]
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  for (const timer of timers) clearTimeout(timer)
  if (code !== 0) {
    process.stderr.write(`${[bench, ...options].join(' ')} ended with ${code ?? 'a signal'}\n`)
    process.exitCode = 1
  }
}
