import test from 'ava'
import { read } from '../_span.ts'

test('a FastMCP server that hands a call on to a mounted server does not call a tool of its own', (t) => {
  const span = (name: string, attributes: Record<string, string>) =>
    read({ name, scope: 'fastmcp', attributes: { 'mcp.method.name': 'tools/call', ...attributes } })
  t.is(
    span('delegate get', { 'fastmcp.provider.type': 'FastMCPProvider', 'fastmcp.component.key': 'get' }).kind,
    'other',
  )
  const server = span('tools/call get', { 'fastmcp.provider.type': 'LocalProvider', 'gen_ai.tool.name': 'get' })
  t.deepEqual([server.kind, server.toolName], ['tool', 'get'])
  t.is(span('delegate to a person', { 'gen_ai.tool.name': 'delegate to a person' }).kind, 'tool')
})
