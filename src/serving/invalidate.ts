// POST /v1/apply/invalidate: the owner of a tool states that its earlier results are out of date.
import { z } from 'zod'
import { makeUuidV7 } from '../base/ids.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import { ok, refuse } from '../base/outcome.ts'
import { maxNameChars } from '../normalise/attribute.ts'
import { hashForm, maxHashChars } from '../normalise/tracewright-attributes.ts'
import type { Runner } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { exactText, matching } from '../web/shapes.ts'
import { rulesRefusals } from './codes.ts'

// `limited` is only for the API document: the limit is thrown as an Outage, which contains the time to wait.
const refusals = { ...rulesRefusals, limited: { status: 429, detail: 'Too many requests' } } as const

export type InvalidateDeps = {
  readonly db: Pick<Runner, 'row'>
  /** Called after the commit and before the response, to notify those that hold rules or results of the workspace. */
  readonly onInvalidated: (workspaceId: string) => void
}

const invalidationIn = z.object({
  tool_name: exactText(1, maxNameChars),
  agent_name: exactText(1, maxNameChars).nullish().meta({ description: 'If omitted: of every agent' }),
  version: exactText(1, maxHashChars).nullish().meta({ description: 'If omitted: of every version of the tool' }),
  input_hash: matching(hashForm, 'sha256:0123456789abcdef')
    .nullish()
    .meta({ description: 'If omitted: of every input' }),
})

// The longest names, each character escaped, take less. No rate limits the requests of a key before their bodies are parsed.
const maxBodyBytes = 16_384

// All invalidations of a workspace lock the same row: concurrent ones would only occupy connections.
const ofOne = { concurrent: 1, maxWaiting: 100, maxWaitMs: 5_000 }

export function makeInvalidateRoutes({ db, onInvalidated }: InvalidateDeps): Route[] {
  const turns = makeKeyedSemaphore(ofOne.concurrent, ofOne.maxWaiting, ofOne.maxWaitMs, 429)
  return [
    route({
      method: 'POST',
      path: '/v1/apply/invalidate',
      tag: 'Apply',
      summary: 'Invalidate stored results of a tool',
      description:
        'The service no longer serves results of executions of the tool that began before this request. An agent, a version and an input ' +
        'limit the invalidation to them. Executions that begin later are not affected. SDKs receive a new version of the rules. ' +
        'A front writes one invalidation of a workspace at a time; if more than 100 wait, the response is 429 with Retry-After.',
      auth: 'key',
      body: invalidationIn,
      maxBodyBytes,
      status: 204,
      refusals,
      handle: async ({ who: { workspaceId }, body }) => {
        const { tool_name: toolName, agent_name: agentName, version, input_hash: inputHash } = body
        const subject = [toolName, agentName ?? null, version ?? null, inputHash ?? null]
        const row = await turns.run(
          workspaceId,
          async () => await db.row<{ at: Date }>('serving/invalidate', [workspaceId, makeUuidV7(), ...subject]),
        )
        if (row === null) return refuse('no_key')
        onInvalidated(workspaceId)
        return ok(undefined)
      },
    }),
  ]
}
