// The service and other programs of the same code share node's compile cache.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { warmCompileCache } from '../_kit/compile-cache.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { findFreePort } from '../_kit/free-port.ts'
import { inherited } from '../_kit/inherited.ts'
import { findScratchFolder } from '../_kit/scratch-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('the service takes its compiled code from a cache that another program has filled', async (t) => {
  const folder = mkdtempSync(join(findScratchFolder(), 'compile-cache-'))
  const port = await findFreePort()
  // No database listens there, so the service ends when its code is loaded.
  const settings = toEnvironment({ DATABASE_URL: `postgres://127.0.0.1:${port}/none`, SECRET: 'x'.repeat(43) })
  try {
    await warmCompileCache(folder)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: { ...inherited, ...settings, NODE_COMPILE_CACHE: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1_048_576,
    })
    t.is(status, 1)
    const told = stdout + stderr
    t.regex(told, /ECONNREFUSED/)
    t.true((told.match(/V8 code cache for .* was accepted/g) ?? []).length > 1_000)
    t.deepEqual(told.match(/V8 code cache for .* was rejected.*/g) ?? [], [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
