// The release after this one, as a separate source tree: changed code, migrations that this release does not know, another version.
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCacheFolder } from '../_kit/compile-cache.ts'
import { inherited } from '../_kit/inherited.ts'
import type { SourceTree } from '../cluster/_part.ts'
import type { Mutation } from './_mutant.ts'

export type Release = SourceTree & { readonly version: string }

export type NextRelease = Release & {
  /** Names of the migrations that it adds. */
  readonly migrations: readonly string[]
  remove(): void
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const readVersion = (tree: string): string =>
  (JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { version: string }).version

export const thisRelease: Release = { tree: root, env: {}, version: readVersion(root) }

const nextVersion = '99.0.0'

/** `migrations`: SQL by name without number, in order. Throws if a text to edit is not found. */
export function makeNextRelease(migrations: Readonly<Record<string, string>>, edits: readonly Mutation[]): NextRelease {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  // The real path, by which node finds the modules: the compile cache knows them by it.
  const tree = mkdtempSync(join(realpathSync(cache), 'next-'))
  for (const part of ['src', 'workers', 'sql', 'proto']) cpSync(join(root, part), join(tree, part), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version: nextVersion }))
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const { file, from, to } of edits) {
    const text = readFileSync(join(tree, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not hold what the next release changes: ${from}`)
    writeFileSync(join(tree, file), text.replace(from, to))
  }
  const known = readdirSync(join(root, 'sql/migrate')).length
  const names = Object.entries(migrations).map(([name, sql], at) => {
    const numbered = `${String(known + at + 1).padStart(4, '0')}_${name}`
    writeFileSync(join(tree, `sql/migrate/${numbered}.sql`), sql)
    return numbered
  })
  return {
    tree,
    env: shareCompileCache(tree),
    version: nextVersion,
    migrations: names,
    remove: () => rmSync(tree, { recursive: true, force: true }),
  }
}

/** Most files of the copy are unchanged. Returns the variable by which its processes find what this release has compiled. */
function shareCompileCache(tree: string): Readonly<Record<string, string>> {
  const original = inherited['NODE_COMPILE_CACHE']
  if (original === undefined) return {}
  const link = join(tree, compileCacheFolder)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(original, link)
  return { NODE_COMPILE_CACHE: link }
}

export type Ended = { readonly code: number | null; readonly written: string; readonly tookMs: number }

const stepDeadlineMs = 60_000

/** Runs the migrate step of a release in its own process. Resolves when it has ended, successfully or not. */
export async function runMigrateStep({ tree, env }: Release, databaseUrl: string): Promise<Ended> {
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, ...env, TRACEWRIGHT_ROLES: 'migrate', TRACEWRIGHT_DATABASE_URL: databaseUrl },
    timeout: stepDeadlineMs,
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      written += data.toString()
    })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, written, tookMs: performance.now() - startedAtMs }
}
