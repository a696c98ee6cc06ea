// The test command: starts what the tests need, runs ava, stops what it started, and prints one closing line.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded.ts'
import { prepareTemplate } from './db.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deadlineMs = 15 * 60_000

// Speed only: what a test loses in a power cut nobody misses.
const fastSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=128MB',
  'max_connections=200',
]

async function main(): Promise<void> {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'test-'))
  // As root the server runs as another user, who has to get in.
  chmodSync(folder, 0o755)
  let server: EmbeddedPostgres | null = null
  try {
    server = await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      settings: fastSettings,
      onLine: () => undefined,
    })
    await prepareTemplate(server.url('postgres'))
    const { passed, failed, code } = await runAva(server.url('postgres'), process.argv.slice(2))
    const failures = failed === 0 && code !== 0 ? 1 : failed
    process.stdout.write(`\n${passed} passed, ${failures} failed\n`)
    process.exitCode = failures > 0 || passed === 0 ? 1 : 0
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Result = { passed: number; failed: number; code: number }

/** Shows ava's own report as it comes and counts its lines: its summary leaves out who passed where one failed. */
async function runAva(databaseUrl: string, files: string[]): Promise<Result> {
  const ava = fileURLToPath(new URL('../../node_modules/ava/entrypoints/cli.js', import.meta.url))
  const child = spawn(process.execPath, [ava, ...files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl, NODE_ENV: 'test', FORCE_COLOR: '0' },
  })
  // A run that hangs must still end with a word.
  const killer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  let line = ''
  let passed = 0
  let failed = 0
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    process.stdout.write(text)
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    passed += lines.filter((one) => /^\s*✔ /.test(one)).length
    failed += lines.filter((one) => /^\s*✘ \[fail\]: /.test(one)).length
  })
  const code = await new Promise<number>((done) => child.once('close', (status) => done(status ?? 1)))
  clearTimeout(killer)
  return { passed, failed, code }
}

await main()
