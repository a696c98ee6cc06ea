import test from 'ava'
import { listHostNames, type NamedTool } from '../../src/resolve/same-tool.ts'
import { findGrowthFault } from '../_kit/looks.ts'

const host = (toolName: string): NamedTool => ({ scopeName: 'framework', toolName })
const protocol = (toolName: string): NamedTool => ({ scopeName: 'mcp-python-sdk', toolName })

const nameAll = (spans: readonly NamedTool[]): (string | null)[] => {
  const placeOf = spans.map((_, at) => at)
  return placeOf.map(listHostNames(spans, placeOf))
}

test('a tool of the protocol has the name of its host, if just one host may mean it', (t) => {
  t.deepEqual(nameAll([host('mcp__weather__get'), protocol('get')]), ['mcp__weather__get', 'mcp__weather__get'])
  t.deepEqual(nameAll([host('a_get'), host('b-get'), protocol('get')]).at(-1), 'get')
  t.deepEqual(nameAll([host('a_get'), host('get'), protocol('get')]).at(-1), 'get')
  t.deepEqual(nameAll([host('forget'), protocol('get')]).at(-1), 'get')
  t.deepEqual(nameAll([host('a_get'), protocol('')]).at(-1), '')
})

test('a scope is one of the protocol by a word of its name', (t) => {
  const scopes = ['fastmcp', 'mcp-python-sdk', 'opentelemetry.instrumentation.mcp', '@modelcontextprotocol/sdk']
  for (const scopeName of scopes)
    t.is(nameAll([host('a_get'), { scopeName, toolName: 'get' }]).at(-1), 'a_get', scopeName)
  for (const scopeName of ['amcp', 'mcpx', 'framework'])
    t.is(nameAll([host('a_get'), { scopeName, toolName: 'get' }]).at(-1), 'get', scopeName)
})

test('a trace whose tools all have names of their own takes linear time', (t) => {
  const make = (count: number): NamedTool[] =>
    Array.from({ length: count }, (_, at) => (at % 2 === 0 ? host(`server_tool-${at}`) : protocol(`tool-${at}`)))
  const spans = make(40_000)
  t.is(
    findGrowthFault((size) => nameAll(spans.slice(0, size)), spans.length),
    null,
  )
})
