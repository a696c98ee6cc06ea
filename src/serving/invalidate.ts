// POST /v1/apply/invalidate: the owner of a tool states that its earlier results are out of date.
import { z } from 'zod'
import { Outage } from '../base/fault.ts'
import { makeUuidV7 } from '../base/ids.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import { ok, refuse } from '../base/outcome.ts'
import { maxNameChars } from '../normalise/attribute.ts'
import { hashForm, maxHashChars } from '../normalise/tracewright-attributes.ts'
import type { Runner } from '../store/database.ts'
import { openRateLimit } from '../web/rate-limit.ts'
import { type Route, route } from '../web/route.ts'
import { exactText, matching } from '../web/shapes.ts'
import { limited } from '../web/shares.ts'
import { rulesRefusals } from './codes.ts'

const refusals = { ...rulesRefusals, limited } as const

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
/** Each changes the version of the rules, which all SDKs of the workspace read again. */
const rate = { requests: 200, seconds: 10 }
/** The most rows of one workspace. They are read with its rules, and are removed only with the events that they concern. */
const maxInvalidations = 10_000
/** An earlier release stored more of them. Each time removes half of those of one tool. */
const maxFolds = 8
const noneToFold = `This workspace has its maximum of ${maxInvalidations} invalidations, and none can be combined; a different one can be added once retention has removed events`

type Subject = readonly [tool: string, agent: string | null, version: string | null, inputHash: string | null]
type Added = { readonly is_full: boolean; readonly at: Date | null }

/**
 * Returns false if the workspace is gone. If it has its most invalidations and none of the same results, the older half of those of one tool
 * becomes one of the whole tool. Throws Outage with status 429 if there is nothing to join: thousands of tools have one or two each, and none
 * of two is of the whole tool.
 */
async function addInvalidation(db: InvalidateDeps['db'], workspaceId: string, subject: Subject): Promise<boolean> {
  const add = async (): Promise<Added | null> =>
    await db.row<Added>('serving/invalidate', [workspaceId, makeUuidV7(), ...subject, maxInvalidations])
  let added = await add()
  let canFold = true
  for (let folds = 0; canFold && added?.is_full === true && folds < maxFolds; folds += 1) {
    canFold = (await db.row('serving/fold-invalidations', [workspaceId, makeUuidV7()])) !== null
    if (canFold) added = await add()
  }
  if (added?.is_full === true)
    throw new Outage('limit', 'too many tools of the workspace are invalidated', {
      status: 429,
      // After `maxFolds` a further request continues.
      ...(canFold ? {} : { detail: noneToFold }),
      retryAfterMs: 60_000,
    })
  return (added?.at ?? null) !== null
}

export function makeInvalidateRoutes({ db, onInvalidated }: InvalidateDeps): Route[] {
  const turns = makeKeyedSemaphore(ofOne.concurrent, ofOne.maxWaiting, ofOne.maxWaitMs, 429)
  const rateLimit = openRateLimit(rate.requests, rate.seconds)
  return [
    route({
      method: 'POST',
      path: '/v1/apply/invalidate',
      tag: 'Apply',
      summary: 'Invalidate stored results of a tool',
      description:
        'The service no longer serves results of executions of the tool that began before this request. An agent, a version and an input ' +
        'limit the invalidation to them. Executions that begin later are not affected. SDKs receive a new version of the rules. ' +
        'A front accepts 200 invalidations of a workspace in 10 s, and at most 100 wait; beyond that, the response is 429 with Retry-After. ' +
        'A workspace has at most 10,000 different invalidations; beyond that, the older half of those of the tool with the most becomes ' +
        'one of the whole tool.',
      auth: 'key',
      body: invalidationIn,
      maxBodyBytes,
      status: 204,
      refusals,
      handle: async ({ who: { workspaceId }, body }) => {
        const { tool_name: toolName, agent_name: agentName, version, input_hash: inputHash } = body
        const subject: Subject = [toolName, agentName ?? null, version ?? null, inputHash ?? null]
        await rateLimit.consume(workspaceId)
        const isAdded = await turns.run(workspaceId, async () => await addInvalidation(db, workspaceId, subject))
        if (!isAdded) return refuse('no_key')
        onInvalidated(workspaceId)
        return ok(undefined)
      },
    }),
  ]
}
