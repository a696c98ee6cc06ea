import test from 'ava'
import { kinds as stored } from '../../../src/event/event.ts'
import {
  columnKeys,
  columnsFilter,
  turnColumns,
  usualColumns,
  usualColumnsOf,
  writeColumns,
} from '../../src/events/choose-columns.ts'
import { kinds, readEventSearch } from '../../src/events/filters.ts'
import { describeAsCurl } from '../../src/list/as-curl.ts'

test('the columns of the address come in their usual order and always with the name', (t) => {
  t.deepEqual(columnsFilter.read('cost,time'), ['time', 'name', 'cost'])
  t.is(columnsFilter.read('cost,size'), null)
  t.is(columnsFilter.read(''), null)
})

test('the usual columns are left out of the address, any others can be read back', (t) => {
  t.is(writeColumns(usualColumns), null)
  t.is(writeColumns(['session', 'time']), 'time,name,session')
  t.deepEqual(columnsFilter.read(writeColumns(columnKeys) ?? ''), columnKeys)
})

test('toggling a column starts from the columns in the URL, or from the default ones if the URL names none that exist', (t) => {
  const withSession = writeColumns([...usualColumns, 'session']) ?? ''
  t.is(turnColumns(undefined, ['session']), withSession)
  t.is(turnColumns(withSession, ['tokens']), withSession.replace('tokens,', ''))
  t.is(turnColumns(withSession, ['session']), null)
  t.is(turnColumns('size', ['session']), withSession)
  t.is(turnColumns('name,time', ['name']), 'time,name', 'the name stays')
})

test('a list of failed spans shows the error unless its address says otherwise', (t) => {
  const usual = usualColumnsOf('error')
  t.true(usual.includes('error'))
  t.is(usualColumnsOf('ok'), usualColumns)
  t.is(turnColumns(undefined, ['tokens'], usual), writeColumns([...usual, 'tokens']))
  t.is(turnColumns('name,time', [], usual), 'time,name')
  t.is(writeColumns(usualColumns, usual), usualColumns.join(','))
  t.is(writeColumns(usual, usual), null)
})

test('a filter that is no id, kind or status is ignored and named', (t) => {
  const { filters, ignored } = readEventSearch({
    kind: 'tools',
    trace_id: '12',
    status: 'error',
    cols: 'x',
    model: 'm',
  })
  t.deepEqual(filters, { status: 'error', model: 'm' })
  t.deepEqual(ignored.map(({ name }) => name).toSorted(), ['cols', 'kind', 'trace_id'])
})

test('the request of a list is one word for a shell, whatever a filter holds', (t) => {
  const line = describeAsCurl('http://localhost:8080', 'w', 'events', {
    tool_name: "it's $HOME & `id`",
    status: 'error',
  })
  t.is(
    line,
    `curl -s 'http://localhost:8080/v1/workspaces/w/events?tool_name=it%27s+%24HOME+%26+%60id%60&status=error' -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`,
  )
})

test('the kinds of the filter are those that spans are stored with', (t) => {
  t.deepEqual(kinds, [...stored])
})
