// The names of statements: each file is used, and each name has a file.
import test from 'ava'
import { listFiles, read } from '../shape/_source.ts'
import { statements } from './_statements.ts'

const source = listFiles(['src', 'workers'])
const folders = new Set(statements.map(({ name }) => name.split('/')[0] ?? ''))

// A name is always a literal and never composed, so that a text search finds every use.
const used = new Map<string, string>(
  source.flatMap(({ path, text }) =>
    [...text.matchAll(/'([a-z]+)\/([a-z0-9-]+)'/g)]
      .filter(([, folder]) => folders.has(folder as string))
      .map(([, folder, name]) => [`${folder}/${name}`, path] as const),
  ),
)

test('every name that the source uses has a file', (t) => {
  const known = new Set(statements.map(({ name }) => name))
  t.deepEqual(
    [...used].filter(([name]) => !known.has(name)),
    [],
  )
})

test('every statement file is used', (t) => {
  t.true(statements.length > 50)
  t.deepEqual(
    statements.map(({ name }) => name).filter((name) => !used.has(name)),
    [],
  )
})

test('a statement is run by its own capability or by the wiring', (t) => {
  const strangers = [...used].filter(([name, path]) => {
    const folder = path.split('/')[1]
    return folder !== name.split('/')[0] && folder !== 'roles' && folder !== 'store'
  })
  t.deepEqual(strangers, [])
})

const beforeStatements = new Set(['src/store/migrate.ts', 'src/store/single-owner.ts', 'src/store/logins.ts'])

test('the source contains no SQL except COPY and statements that run before the pools exist', (t) => {
  const without = source.filter(({ path }) => !beforeStatements.has(path))
  const inline = without.filter(({ text }) => /\bquery\(\s*[`'](select|insert|update|delete|with)\b/i.test(text))
  t.deepEqual(
    inline.map(({ path }) => path),
    [],
  )
})

test('every statement begins with a comment that says what it is for, and is one statement', (t) => {
  const silent = statements.filter(({ text }) => !/^-- \S/.test(text))
  const many = statements.filter(({ text }) => /;\s*\S/.test(text.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'/g, '')))
  t.deepEqual(
    [...silent, ...many].map(({ name }) => name),
    [],
  )
})

test('a migration says what it is for', (t) => {
  const silent = listFiles(['sql/migrate'], ['.sql']).filter(({ path }) => !read(path).startsWith('-- '))
  t.deepEqual(
    silent.map(({ path }) => path),
    [],
  )
})
