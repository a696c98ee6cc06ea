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
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|ts)$/.test(file)) continue
    const text = readFileSync(join(folder, file), 'utf8')
    const imported = [...text.matchAll(/\bfrom ['"]([^'"]+)['"]/g)].map(([, name]) => name as string)
    const undeclared = imported.filter((name) => !/^\.{1,2}\//.test(name) && !known.has(name))
    t.deepEqual(undeclared, [], file)
    if (file.endsWith('.js')) t.notRegex(text, /from ['"][^'"]*\.ts['"]/, file)
  }

  const sources: Record<string, string> = { 'consumer.mts': consumer, ...quickStarts() }
  t.truthy(sources['sdk-README-0.mts'], 'the README of the library has a quick start')
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: Object.keys(sources) }))
  const used = spawnSync(tsc, ['-p', folder], { cwd: folder, encoding: 'utf8' })
  t.is(used.status, 0, used.stdout)
})

/** As a program would be compiled that has installed the package. */
const strict = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  skipLibCheck: true,
  paths: { '@tracewright/sdk': ['./tracewright.d.ts'] },
}

/** The blocks of TypeScript in the READMEs, exactly as they are printed. */
function quickStarts(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const path of ['README.md', 'sdk/README.md']) {
    const blocks = readFileSync(join(root, path), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)
    for (const [nth, [, text = '']] of [...blocks].entries()) {
      found[`${path.replace(/\W/g, '-').replace(/-md$/, '')}-${nth}.mts`] = text
    }
  }
  return found
}

const consumer = `
import { createTracewright, type Stats, type ToolOptions } from '@tracewright/sdk'
const tracewright = createTracewright({
  baseUrl: 'https://tracewright.example', apiKey: process.env.KEY, agentName: 'a', hashKey: process.env.HASH_KEY,
  encryptionKeys: { current: { keyId: 'a', key: process.env.RESULT_KEY } },
})
const weather = tracewright.tool('weather', async ({ city }: { city: string }) => ({ city, degrees: 5 }), { attest: true })
const { degrees } = await weather({ city: 'Oslo' }, { callId: 'call_1' })
export const sum: number = degrees + 1
export const told: boolean = await weather.invalidate({ city: 'Oslo' })
// @ts-expect-error: the input of the tool
await weather({ town: 'Oslo' })
// @ts-expect-error: the input of the tool
await weather.invalidate({ town: 'Oslo' })

// A function that does not say what it takes.
const untyped = tracewright.tool('untyped', async ({ query }) => [String(query)], { attest: true, costUsd: 0.002 })
export const words: string[] = await untyped(JSON.parse('{}'), { callId: 'call_2' })
const bare = tracewright.tool('bare', (input) => [input.page as number])
export const pages: number[] = await bare({ page: 1 })

const fn = async ({ city }: { city: string }) => ({ city, degrees: 5 })
tracewright.tool('all', fn, {
  version: '2', scope: ({ city }) => city, freshnessS: 60, consumedBy: 'model', equals: ({ degrees }) => degrees,
  redact: (result) => ({ ...result, city: '' }), costUsd: ({ city }, result) => city.length + result.degrees,
  attest: { sameInput: true, unread: { serve: ({ city }) => ({ city, degrees: 0 }) } },
})
tracewright.tool('stored', fn, { scope: ({ city }) => city, attest: { unread: { serve: 'stored' } } })
// @ts-expect-error: 'stored' only together with a scope
tracewright.tool('stored', fn, { attest: { unread: { serve: 'stored' } } })
// @ts-expect-error: a scope is a text
tracewright.tool('scoped', fn, { scope: () => 5 })
// @ts-expect-error: a stub gives what the tool gives
tracewright.tool('stub', fn, { attest: { unread: { serve: () => 'nothing' } } })
const chosen: ToolOptions<{ city: string }, { city: string; degrees: number }> = { attest: degrees > 5 }
tracewright.tool('chosen', fn, chosen)
export const stats: Stats = tracewright.stats()
`
