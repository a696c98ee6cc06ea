// Secrets that a first start generates and keeps in the data directory, if they cannot be written.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readSecrets } from '../../src/roles/secret.ts'
import { readOrMakeSecret } from '../../src/store/data-folder.ts'
import { makeDataDir } from '../_kit/data-dir.ts'

const program = `
  import { readSecrets } from ${JSON.stringify(new URL('../../src/roles/secret.ts', import.meta.url).href)}
  readSecrets({ DATA_DIR: process.argv[1] })`

test('a secret that could not be written at the first start, as on a full disk, is created by the next start', (t) => {
  const folder = makeDataDir(t)
  // Files can be created, but no byte can be written.
  const command = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program, folder]
  const first = spawnSync('sh', command, { encoding: 'utf8' })
  t.not(first.status, 0)
  t.regex(first.stderr, /EFBIG/)
  const [secret] = readSecrets({ SECRET: undefined, SECRET_OTHER: undefined, DATA_DIR: folder })
  t.true(secret.byteLength >= 32)
  t.deepEqual(readSecrets({ SECRET: undefined, SECRET_OTHER: undefined, DATA_DIR: folder }), [secret])
})

test('an empty secret of an earlier release is replaced, readable by its owner alone, and no other file is left', (t) => {
  const folder = makeDataDir(t)
  const file = join(folder, 'service-password')
  writeFileSync(file, '', { mode: 0o644 })
  const secret = readOrMakeSecret(file, 24)
  t.regex(secret, /^[A-Za-z0-9_-]{32}$/)
  t.is(readOrMakeSecret(file, 24), secret)
  t.is(statSync(file).mode & 0o777, 0o600)
  t.deepEqual(readdirSync(folder), ['service-password'])
})
