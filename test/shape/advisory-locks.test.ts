// The register of advisory locks is complete and true.
import test from 'ava'
import { type AdvisoryLock, advisoryLocks } from '../../src/store/advisory-locks.ts'
import { listFiles } from './_source.ts'

type Taken = Pick<AdvisoryLock, 'key' | 'arguments'>

const register: readonly AdvisoryLock[] = Object.values(advisoryLocks)
const isCode = (line: string): boolean => !/^\s*(?:--|\/\/|\*|\/\*)/.test(line)

/** Returns the locks that the SQL of a text takes. The text of a parameter is no number: its file takes the key from the register. */
function readTaken(sql: string): (Taken | 'parameter')[] {
  const code = sql.split('\n').filter(isCode).join('\n')
  return [...code.matchAll(/advisory_(?:xact_)?lock(?:_shared)?\(\s*(\$\d|\d+|hashtext\w*\()\s*(,?)/g)].map(
    ([, first = '', comma]) => {
      if (first.startsWith('$')) return 'parameter'
      return { key: first.startsWith('hash') ? null : Number(first), arguments: comma === ',' ? 2 : 1 }
    },
  )
}

test('each key of an advisory lock is in the register once', (t) => {
  const keys = register.map((lock) => `${lock.arguments}: ${lock.key}`)
  t.deepEqual(keys, [...new Set(keys)])
})

test('each advisory lock of the SQL is in the register, and each of the register is taken', (t) => {
  const files = listFiles(['sql'], ['.sql']).filter(({ text }) =>
    text.split('\n').some((line) => isCode(line) && /advisory_/.test(line)),
  )
  const taken = files.flatMap(({ path, text }) =>
    readTaken(text).map((lock) => (lock === 'parameter' ? { takenIn: path } : { ...lock, takenIn: path })),
  )
  t.deepEqual(
    taken.toSorted((a, b) => (a.takenIn < b.takenIn ? -1 : 1)),
    register.filter(({ takenIn }) => takenIn.startsWith('sql/')).toSorted((a, b) => (a.takenIn < b.takenIn ? -1 : 1)),
  )
})

test('the source takes its keys from the register', (t) => {
  const files = listFiles(['src', 'workers']).filter(
    ({ path, text }) =>
      path !== 'src/store/advisory-locks.ts' && /advisory_/.test(text.split('\n').filter(isCode).join('\n')),
  )
  t.deepEqual(
    files.map(({ path }) => path),
    register.flatMap(({ takenIn }) => (takenIn.startsWith('src/') ? [takenIn] : [])).sort(),
  )
  for (const { path, text } of files) {
    t.true(text.includes("from './advisory-locks.ts'"), path)
    t.false(/7_?277_?4\d\d/.test(text), path)
  }
})

test('the search for locks finds every form', (t) => {
  t.deepEqual(
    readTaken(
      "select pg_try_advisory_xact_lock(12, hashtext('a'))\n-- pg_advisory_lock(1)\nselect pg_advisory_lock(13)",
    ),
    [
      { key: 12, arguments: 2 },
      { key: 13, arguments: 1 },
    ],
  )
  t.deepEqual(readTaken("select pg_advisory_lock_shared(hashtextextended('a', 0)), pg_advisory_xact_lock($1)"), [
    { key: null, arguments: 1 },
    'parameter',
  ])
})
