// The table of settings is generated from the schema and must equal it.
import test from 'ava'
import { describeConfig } from '../../src/config.ts'
import { read } from './_source.ts'
import { configPage, cutConfigTable } from './write-config-table.ts'

test('the page of configuration lists every setting as in the schema; if not, run: node test/shape/write-config-table.ts', (t) => {
  t.is(cutConfigTable(read(configPage)).table, describeConfig())
})
