import test from 'ava'
import { makeArrayParam, writeTextArray } from '../../src/store/array-param.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const awkward = [
  '',
  'plain',
  'a,b',
  '{}',
  '{"x"}',
  '"',
  '\\',
  '\\"',
  'NULL',
  'null',
  "it's",
  ' x ',
  'a\nb',
  '\u{1f600}',
  'é'.repeat(60),
]

test('arrays arrive as they were given, of every element type, with nulls and without elements', async (t) => {
  const uuid = '01890000-0000-7000-8000-00000000abcd'
  const [row] = await base.query(
    `select $1::text[] as texts, $2::bigint[]::text as counts, $3::float8[] as floats, $4::bool[] as flags,
       $5::timestamptz[]::text as times, $6::uuid[]::text[] as ids, $7::bytea[] as bytes, $8::text[] as none`,
    [
      makeArrayParam('text', awkward.length + 1, (writer) => {
        for (const text of awkward) writer.text(text)
        writer.nul()
      }),
      makeArrayParam('int8', 3, (writer) => {
        for (const count of [0, -5, Number.MAX_SAFE_INTEGER]) writer.int8(count)
      }),
      makeArrayParam('float8', 2, (writer) => {
        writer.float8(0.1)
        writer.nul()
      }),
      makeArrayParam('bool', 2, (writer) => {
        writer.bool(true)
        writer.bool(false)
      }),
      makeArrayParam('timestamptz', 1, (writer) =>
        writer.timestamp(Date.parse('2026-03-01T00:00:00.001Z') * 1_000 + 2),
      ),
      makeArrayParam('uuid', 1, (writer) => writer.uuid(uuid)),
      makeArrayParam('bytea', 1, (writer) => writer.bytes(Uint8Array.of(0, 255))),
      makeArrayParam('text', 0, () => undefined),
    ],
  )
  t.deepEqual(row, {
    texts: [...awkward, null],
    counts: `{0,-5,${Number.MAX_SAFE_INTEGER}}`,
    floats: [0.1, null],
    flags: [true, false],
    times: row?.['times'],
    ids: [uuid],
    bytes: [Buffer.of(0, 255)],
    none: [],
  })
  t.regex(String(row?.['times']), /:00\.001002\+/)
})

test('a list of texts within an array is the same list behind the cast', async (t) => {
  const rows = await base.query<{ list: string[] }>('select list::text[] from unnest($1::text[]) as list', [
    [writeTextArray(awkward), writeTextArray([]), writeTextArray(new Set(['one']))],
  ])
  t.deepEqual(
    rows.map(({ list }) => list),
    [awkward, [], ['one']],
  )
})
