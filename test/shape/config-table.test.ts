// The table of settings is generated from the schema and must equal it.
import test from 'ava'
import { describeConfig } from './_config-table.ts'
import { read } from './_source.ts'
import { configPage, cutConfigTable } from './write-config-table.ts'

test('the page of configuration lists every setting as in the schema; if not, run: node test/shape/write-config-table.ts', (t) => {
  t.is(cutConfigTable(read(configPage)).table, describeConfig())
})

test('each row of the table of settings has three cells, also if a description contains a vertical bar', (t) => {
  const rows = describeConfig().split('\n')
  t.true(rows.some((row) => row.includes('\\|')))
  t.deepEqual(
    rows.filter((row) => row.match(/(?<!\\)\|/g)?.length !== 4),
    [],
  )
})
