// Limits the concurrent reads of one workspace to fewer than there are connections, so that some are left for other workspaces.
import { Outage } from '../base/fault.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import type { JsonRoute, PublicRefusal, Route } from './route.ts'

export type ReadLimits = {
  /** Reads of one workspace that run at once in this process. */
  readonly concurrent: number
  /** Number of further reads of the workspace that may wait. Above it, or after the longest wait, a read is refused with 429. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export type LimitedReads = {
  readonly routes: Route[]
  /** Number of reads that wait for other reads of their workspaces. */
  waiting(): number
}

type Read = JsonRoute['handle']

/**
 * Returns the same routes, with the reads of each workspace limited over all routes together. Long polls are not limited, since they wait
 * most of their time, nor are streams, which have their own limits. A read is skipped if its client disconnects while it waits.
 */
export function limitReads(routes: readonly Route[], limits: ReadLimits): LimitedReads {
  const { concurrent, maxWaiting, maxWaitMs } = limits
  const shares = makeKeyedSemaphore(concurrent, maxWaiting, maxWaitMs, 429)

  async function readInTurn(read: Read, input: Parameters<Read>[0]): ReturnType<Read> {
    const { workspace_id: workspaceId } = input.params as { workspace_id: string }
    // Created before the wait, and only for reads that wait.
    const gone = shares.isFull(workspaceId) ? input.request.signal() : null
    return await shares.run(workspaceId, async () => {
      if (gone?.aborted === true) throw new Outage('the client has gone')
      return await read(input)
    })
  }

  const limit = (route: Route): Route => {
    if (route.kind !== 'json' || !isLimited(route)) return route
    const { handle, refusals } = route
    const read: Read = async (input) => await readInTurn(handle, input)
    return { ...route, refusals: { ...refusals, limited }, handle: read }
  }
  return { routes: routes.map(limit), waiting: shares.waiting }
}

/** For the OpenAPI document only; the thrown Outage writes the answer. */
const limited: PublicRefusal = { status: 429, detail: 'Too many requests' }

const isLimited = ({ method, role, streams, polls }: JsonRoute): boolean =>
  method === 'GET' && role !== null && streams === null && !polls
