// What is published: built by the compiler, without anything that only this repository has.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import test from 'ava'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as {
  exports: { '.': { types: string; default: string } }
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

test('the build has the entry that the manifest names, with its declarations, and imports nothing undeclared', async (t) => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/sdk-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const built = spawnSync(tsc, ['-p', 'sdk/tsconfig.build.json', '--outDir', folder], { cwd: root, encoding: 'utf8' })
  t.is(built.status, 0, built.stdout)

  const fileIn = (path: string): string => join(folder, path.replace('./dist/', ''))
  const entry = (await import(pathToFileURL(fileIn(manifest.exports['.'].default)).href)) as object
  t.deepEqual(Object.keys(entry), ['createTracewright'])
  t.regex(readFileSync(fileIn(manifest.exports['.'].types), 'utf8'), /export declare function createTracewright/)

  const declared = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)])
  const known = new Set([...declared, ...builtinModules.map((name) => `node:${name}`)])
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    const imported = [...text.matchAll(/\bfrom ['"]([^'"]+)['"]/g)].map(([, name]) => name as string)
    const undeclared = imported.filter((name) => !name.startsWith('./') && !known.has(name))
    t.deepEqual(undeclared, [], file)
    if (file.endsWith('.js')) t.notRegex(text, /from ['"][^'"]*\.ts['"]/, file)
  }

  const source = join(folder, 'consumer.mts')
  writeFileSync(source, consumer)
  const strict = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    source,
  ]
  const used = spawnSync(tsc, strict, { cwd: folder, encoding: 'utf8' })
  t.is(used.status, 0, used.stdout)
})

const consumer = `
import { createTracewright, type Stats } from './tracewright.js'
const tracewright = createTracewright({
  baseUrl: 'https://tracewright.example', apiKey: 'k', agentName: 'a', hashKey: 'h',
  encryptionKeys: { current: { keyId: 'a', key: 'k' } },
})
const weather = tracewright.tool('weather', async ({ city }: { city: string }) => ({ city, degrees: 5 }), { attest: true })
const { degrees } = await weather({ city: 'Oslo' }, { callId: 'call_1' })
export const sum: number = degrees + 1
// @ts-expect-error: the input of the tool
await weather({ town: 'Oslo' })
export const stats: Stats = tracewright.stats()
`
