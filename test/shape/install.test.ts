// `npm ci` on Node 20 warns of no engine: Node 24 is installed as a package, and runs all of them.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const root = fileURLToPath(new URL('../../', import.meta.url))
// The oldest version that the README supports; npm reads it from its own process object.
const oldNode = `data:text/javascript,Object.defineProperty(process,'version',{value:'v20.19.0'})`

const folder = mkdtempSync(join(tmpdir(), 'install-'))
test.after.always(() => rmSync(folder, { recursive: true, force: true }))
for (const name of ['package.json', 'package-lock.json', '.npmrc', 'sdk/package.json', 'dashboard/package.json']) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  cpSync(join(root, name), join(folder, name))
}

/** Returns the packages that `npm ci` warns about; nothing is installed. */
async function listRefused(): Promise<string[]> {
  const output = await new Promise<string>((done, fail) => {
    const env = { PATH: process.env['PATH'], HOME: folder, NODE_OPTIONS: `--import "${oldNode}"` }
    const args = ['ci', '--dry-run', '--offline', '--ignore-scripts']
    execFile('npm', args, { cwd: folder, env }, (error, out, err) =>
      error === null ? done(out + err) : fail(new Error(err)),
    )
  })
  return [...output.matchAll(/EBADENGINE +package: '(.+)'/g)].map(([, name = '']) => name)
}

// One installation for the check and its control, since npm takes over a second to resolve the lock file.
test('npm ci on Node 20 warns of no engine but that of the control, a package with its engines in the lock file', async (t) => {
  const file = join(folder, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { engines?: { node: string } }> }
  const ava = lock.packages['node_modules/ava']
  if (ava === undefined) throw new Error('the lock file has no ava')
  t.is(ava.engines, undefined)
  ava.engines = { node: '>=22' }
  writeFileSync(file, JSON.stringify(lock))
  const refused = await listRefused()
  t.is(refused.length, 1, `remove \`engines\` of these from package-lock.json, except of ava: ${refused.join(', ')}`)
  t.regex(refused.join(), /^ava@/)
})
