// Sizes, names and conventions of source files.
import { basename, dirname } from 'node:path'
import test from 'ava'
import { listFiles } from './_source.ts'

const source = listFiles(['src', 'workers', 'sdk/src'])
const all = listFiles(['src', 'workers', 'test', 'sql', 'sdk/src', 'sdk/test'], ['.ts', '.sql'])
const generated = 'dashboard/src/api/schema.ts'
const dashboard = listFiles(['dashboard/src', 'dashboard/scripts', 'dashboard/test'], ['.ts', '.tsx', '.css']).filter(
  ({ path }) => path !== generated,
)

const maxLines = 300
const maxFilesInFolder = 30
// Each entry is a debt: remove it when its reason is gone, and add none.
const readsEnvironment = new Set(['src/config.ts', 'src/store/embedded/server-user.ts'])
const bannedNames = /^(utils?|helpers?|common|misc|manager|service|types|shared|index)\.ts$/

const lineCount = (text: string): number => text.trimEnd().split('\n').length

test(`no source file is longer than ${maxLines} lines`, (t) => {
  const long = [...source, ...dashboard]
    .map(({ path, text }) => ({ path, lines: lineCount(text) }))
    .filter(({ lines }) => lines > maxLines)
  t.deepEqual(long, [])
})

test('half of the source files have at most 100 lines', (t) => {
  const lengths = source.map(({ text }) => lineCount(text)).sort((a, b) => a - b)
  t.true((lengths[lengths.length >> 1] ?? 0) <= 100)
})

test(`no folder has more than ${maxFilesInFolder} files`, (t) => {
  const folders = Map.groupBy(source, ({ path }) => dirname(path))
  const full = [...folders].filter(([, files]) => files.length > maxFilesInFolder)
  t.deepEqual(
    full.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  )
})

test('only the configuration reads the environment', (t) => {
  const readers = source.filter(({ text }) => /process\.env\b/.test(text)).map(({ path }) => path)
  t.deepEqual(readers.sort(), [...readsEnvironment].sort())
})

test('no file is a collection of helpers or re-exports', (t) => {
  const named = source.map(({ path }) => path).filter((path) => bannedNames.test(basename(path)))
  const barrels = source.filter(({ text }) => /^export (\*|\{[^}]*\}) from /m.test(text)).map(({ path }) => path)
  t.deepEqual([...named, ...barrels], [])
})

test('file names are kebab-case', (t) => {
  const odd = all
    .map(({ path }) => path)
    .filter((path) => !/^[a-z0-9_][a-z0-9-]*(\.(?:test|soak))?\.(ts|sql)$/.test(basename(path)))
  t.deepEqual(
    odd.filter((path) => !path.startsWith('sql/migrate/')),
    [],
  )
})

test('no source contains a to-do', (t) => {
  // In brackets, so that this file itself does not match.
  const marks = /\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/
  t.deepEqual(
    [...all, ...dashboard].filter(({ text }) => marks.test(text)).map(({ path }) => path),
    [],
  )
})

test('no test is marked as skip, only or todo', (t) => {
  const lazy = /\btest(\.serial)?\.(skip|only|todo|failing)\b/
  t.deepEqual(
    listFiles(['test', 'sdk/test', 'dashboard/test'])
      .filter(({ text }) => lazy.test(text))
      .map(({ path }) => path),
    [],
  )
})

test('only the program ends the process', (t) => {
  const enders = source.filter(({ text }) => /process\.exit\(/.test(text)).map(({ path }) => path)
  t.deepEqual(enders, ['src/main.ts'])
})

test('the dashboard never inserts markup from text', (t) => {
  const writers = dashboard.filter(({ path, text }) => path.startsWith('dashboard/src/') && /InnerHTML/i.test(text))
  t.deepEqual(
    writers.map(({ path }) => path),
    [],
  )
})

test('source files import with file extensions and without default interop', (t) => {
  const bare = source.filter(({ text }) => /from '\.{1,2}\/[^']*(?<!\.ts)'/.test(text)).map(({ path }) => path)
  t.deepEqual(bare, [])
})
