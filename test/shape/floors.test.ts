// The floors of src/README.md: an import goes to a lower floor, or stays on its floor where the README allows it.
import test from 'ava'
import { listFiles, listOwnImports, read, readTable } from './_source.ts'

const readme = read('src/README.md')
const floors = readFloors()
const allowed = readAllowed()

/** Returns the floor of each top folder, and of the files directly below src. */
function readFloors(): Map<string, number> {
  const rows = readTable(readme, '# How the source is laid out')
  return new Map(
    rows.flatMap(([floor = '', folders = '']) =>
      [...folders.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => [name as string, Number.parseInt(floor, 10)] as const),
    ),
  )
}

/** Returns the imports between capabilities that the README lists, as "apply -> decisions". */
function readAllowed(): Set<string> {
  const paragraph = /Between capabilities only these imports:([^]*?)\.\s/.exec(readme)?.[1] ?? ''
  return new Set([...paragraph.matchAll(/`(\w+ -> \w+)`/g)].map(([, pair]) => pair as string))
}

const top = (path: string): string => path.split('/')[1] ?? ''

/** Returns why an import is not allowed, or null. On floors 0, 1 and 4 folders may import each other; on 2 and 3 they are separate. */
function judge(from: string, to: string): string | null {
  if (!to.startsWith('src/')) return `${from} imports ${to}, which is outside src`
  const [a, b] = [top(from), top(to)]
  if (a === b) return null
  const [floorA, floorB] = [floors.get(a), floors.get(b)]
  if (floorA === undefined) return `${from}: the README gives no floor to ${a}`
  if (floorB === undefined) return `${from} imports ${to}: the README gives no floor to ${b}`
  if (floorB > floorA) return `${from} (floor ${floorA}) imports ${to} (floor ${floorB})`
  const standsApart = floorA === 2 || floorA === 3
  if (floorA === floorB && standsApart && !allowed.has(`${a} -> ${b}`))
    return `${from} imports ${to}: ${a} -> ${b} is not listed`
  return null
}

test('the README gives every folder its floor', (t) => {
  t.true(floors.size > 15)
  t.true(allowed.size > 3)
  const folders = [...new Set(listFiles(['src']).map(({ path }) => top(path)))]
  t.deepEqual(
    folders.filter((folder) => !floors.has(folder)),
    [],
  )
})

test('an import goes down, stays in its folder, or is listed in the README', (t) => {
  const faults = listFiles(['src']).flatMap((file) =>
    listOwnImports(file).flatMap((target) => judge(file.path, target) ?? []),
  )
  t.deepEqual(faults, [])
})

test('the check of imports refuses imports of higher floors and unlisted ones', (t) => {
  t.regex(judge('src/web/server.ts', 'src/keys/verify.ts') ?? '', /floor 2.*floor 3/)
  t.regex(judge('src/keys/mint.ts', 'src/accounts/login.ts') ?? '', /not listed/)
  t.regex(judge('src/keys/mint.ts', 'test/_kit/db.ts') ?? '', /outside/)
  t.is(judge('src/keys/mint.ts', 'src/store/database.ts'), null)
})

test('thread entries import only from floors 0 and 1', (t) => {
  const faults = listFiles(['workers']).flatMap((file) =>
    listOwnImports(file)
      .filter((target) => !target.startsWith('workers/') && (floors.get(top(target)) ?? 9) > 1)
      .map((target) => `${file.path} imports ${target}`),
  )
  t.deepEqual(faults, [])
})

test('thread entries also import only from floors 0 and 1 indirectly', (t) => {
  const byPath = new Map(listFiles(['src', 'workers']).map((file) => [file.path, file]))
  const reached = new Set<string>()
  const visit = (path: string): void => {
    const file = byPath.get(path)
    if (file === undefined || reached.has(path)) return
    reached.add(path)
    for (const target of listOwnImports(file)) visit(target)
  }
  for (const { path } of listFiles(['workers'])) visit(path)
  t.true(reached.size > 10)
  t.deepEqual(
    [...reached].filter((path) => path.startsWith('src/') && (floors.get(top(path)) ?? 9) > 1),
    [],
  )
})

test('the client library imports nothing of the service', (t) => {
  const files = listFiles(['sdk/src'])
  t.true(files.length > 10)
  const faults = files.flatMap((file) =>
    listOwnImports(file)
      .filter((target) => !target.startsWith('sdk/src/'))
      .map((target) => `${file.path} imports ${target}`),
  )
  t.deepEqual(faults, [])
})

test('each file begins with a comment that says what it is for', (t) => {
  const silent = listFiles(['src']).filter(({ text }) => !/^\/\/ \S/.test(text))
  t.deepEqual(
    silent.map(({ path }) => path),
    [],
  )
})
