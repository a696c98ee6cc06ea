// The dialect of FastMCP, a framework for servers and clients of the Model Context Protocol.
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'

const providerNames = anyOf('fastmcp.provider.type')

export const fastMcp: Dialect = {
  name: 'fastmcp',
  marks: { scopes: ['fastmcp'] },
  reads: {
    /** A server that hands a call on to a server mounted in it reports the step as a call, besides the spans of both servers. */
    restatedKind: {
      on: { own: true },
      read: ({ span, attributes }) =>
        span.name.startsWith('delegate ') && has(attributes, providerNames) ? 'other' : null,
    },
  },
}
