// The dialect of the Model Context Protocol, as traced by clients and servers.
import { anyOf } from '../../event/names.ts'
import { first } from '../attribute.ts'
import type { Dialect } from '../merge/definition.ts'

const methodNames = anyOf('mcp.method.name')

export const mcp: Dialect = {
  name: 'mcp',
  marks: { attributes: ['mcp.method.name', 'mcp.session.id'] },
  /** The second prefix is that of the Python SDK as a client. */
  toolSpans: ['tools/call ', 'MCP send tools/call '],
  names: {
    /**
     * The protocol's `readOnlyHint`, as autotel-mcp-instrumentation and some servers send it. OpenTelemetry's conventions for MCP have no
     * name for it.
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
