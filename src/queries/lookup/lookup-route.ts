// HTTP: what an id refers to.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { type Route, route } from '../../web/route.ts'
import { exactText, workspaceParams } from '../../web/shapes.ts'
import { resourceNotFound } from '../codes.ts'
import { lookUp, lookupKinds, spansInLook } from './look-up.ts'

// The length of the longest session name.
const maxIdCharacters = 1_024

const lookupOut = z
  .object({
    kind: z.enum(lookupKinds),
    id: z.string(),
    trace_id: z.string().optional().meta({ description: 'The trace of a span' }),
  })
  .meta({ id: 'Lookup' })

export const makeLookupRoute = ({ db }: { readonly db: Database }): Route =>
  route({
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/lookup',
    tag: 'Observability',
    summary: 'Look up an id',
    description: `The id of a trace, span, session, agent, decision, finding or API key of the workspace. A span is found by its \`<trace_id>.<span_id>\`; by its span id alone among the newest ${spansInLook.toLocaleString('en')} spans only.`,
    auth: 'session',
    role: 'viewer',
    params: workspaceParams,
    query: z.object({ id: exactText(1, maxIdCharacters) }),
    status: 200,
    response: lookupOut,
    refusals: resourceNotFound,
    handle: async ({ params, query }) => {
      const outcome = await lookUp(db, { workspaceId: params.workspace_id, id: query.id })
      if (!outcome.ok) return outcome
      const { kind, id, traceId } = outcome.value
      return ok({ kind, id, ...(traceId === undefined ? {} : { trace_id: traceId }) })
    },
  })
