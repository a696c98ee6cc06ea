// `npm run check`: checks types, lint, format, dead code and shape in parallel, and prints only the output of checks that failed.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import './leave.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
// Ten times the duration of a cold run on two cores: only a check that hangs takes this long.
const deadlineMs = 450_000
const leave = new URL('./leave.ts', import.meta.url).href
const folders = ['src', 'workers', 'test', 'deploy', 'sdk/src', 'sdk/test', 'dashboard']

const checks: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '-p', '.'],
  'types of the dashboard': ['tsc', '-p', 'dashboard'],
  lint: ['oxlint', '--type-aware', '--deny-warnings', ...folders],
  format: ['biome', 'check', ...folders],
  'dead code': ['knip', '--cache', '--cache-location', '.cache/knip'],
  shape: ['ava', 'test/shape/*.test.ts'],
}

type Result = { readonly name: string; readonly code: number; readonly output: string; readonly seconds: number }

async function run(name: string, [command = '', ...args]: readonly string[]): Promise<Result> {
  const startedAtMs = performance.now()
  // All of them are scripts of node.
  const child = spawn(process.execPath, [`--import=${leave}`, `${root}node_modules/.bin/${command}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const killer = setTimeout(() => {
    output += `${command} had not ended after ${deadlineMs / 1_000} s, and was killed`
    child.kill('SIGKILL')
  }, deadlineMs)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise<number>((done) => child.once('close', (status) => done(status ?? 1)))
  clearTimeout(killer)
  return { name, code, output, seconds: (performance.now() - startedAtMs) / 1_000 }
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)))
for (const { name, code, output, seconds } of results) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)\n`)
  if (code !== 0) process.stdout.write(`${output}\n`)
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
