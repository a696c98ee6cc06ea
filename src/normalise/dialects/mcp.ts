// The Model Context Protocol, as clients and servers trace it.
import { anyOf } from '../../otlp/names.ts'
import { first } from '../attribute.ts'
import type { Dialect } from '../merge/definition.ts'

const methodNames = anyOf('mcp.method.name')

export const mcp: Dialect = {
  name: 'mcp',
  marks: { attributes: ['mcp.method.name', 'mcp.session.id'] },
  /** The second is that of the Python SDK, as a client. */
  toolSpans: ['tools/call ', 'MCP send tools/call '],
  names: {
    /**
     * The protocol's `readOnlyHint`, as autotel-mcp-instrumentation and single servers send it: the conventions of OpenTelemetry for MCP
     * have no name for it.
     */
    readOnly: ['mcp.tool.read_only'],
    toolArguments: ['mcp.request.argument'],
    toolResult: ['mcp.response.value'],
  },
  content: {
    in: ['mcp.request.argument', 'mcp.request.argument.*', 'mcp.request.arguments'],
    out: ['mcp.response.value'],
  },
  reads: {
    kind({ attributes }) {
      const method = first(attributes, methodNames)
      if (method === undefined) return null
      return method === 'tools/call' ? 'tool' : 'other'
    },
  },
}
