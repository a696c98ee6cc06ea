// Limits the concurrent requests of one workspace to fewer than there are connections in a pool, so that some are left for other workspaces.
import { Outage } from '../base/fault.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import type { JsonRoute, KeyIdentity, PublicRefusal, Route, Session } from './route.ts'

export type ShareLimits = {
  /** Requests of one workspace that run at once in this process. */
  readonly concurrent: number
  /** Number of further requests of the workspace that may wait. Above it, or after the longest wait, a request is refused with 429. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export type Shares = {
  /** Returns the same routes, with those limited that `isLimited` accepts, over all routes of these shares together. */
  limit(routes: readonly Route[], isLimited: (route: JsonRoute) => boolean): Route[]
  /** Number of requests that wait for others of their workspaces. */
  waiting(): number
}

type Handle = JsonRoute['handle']

/**
 * The shares of one pool. Where the route has not checked that the caller is a member of a workspace, the share is that of the user. A
 * request is skipped if its client disconnects while it waits.
 */
export function makeShares({ concurrent, maxWaiting, maxWaitMs }: ShareLimits): Shares {
  const shares = makeKeyedSemaphore(concurrent, maxWaiting, maxWaitMs, 429)

  async function runInTurn(key: string, handle: Handle, input: Parameters<Handle>[0]): ReturnType<Handle> {
    // Created before the wait, and only for requests that wait.
    const gone = shares.isFull(key) ? input.request.signal() : null
    return await shares.run(key, async () => {
      if (gone?.aborted === true) throw new Outage('limit', 'the client has gone')
      return await handle(input)
    })
  }

  const limitOne = (route: JsonRoute): Route => {
    const { handle, refusals } = route
    const inTurn: Handle = async (input) => await runInTurn(findOwner(route, input), handle, input)
    return { ...route, refusals: { ...refusals, limited }, handle: inTurn }
  }
  return {
    limit: (routes, isLimited) =>
      routes.map((route) => (route.kind === 'json' && isLimited(route) ? limitOne(route) : route)),
    waiting: shares.waiting,
  }
}

function findOwner({ role, auth }: JsonRoute, { who, params }: Parameters<Handle>[0]): string {
  if (role !== null) return (params as { workspace_id: string }).workspace_id
  return auth === 'key' ? (who as KeyIdentity).workspaceId : (who as Session).userId
}

/** For the OpenAPI document only; the thrown Outage writes the answer. */
const limited: PublicRefusal = { status: 429, detail: 'Too many requests' }

/** A read of a workspace. Long polls are not limited, since they wait most of their time, nor are streams, which have their own limits. */
export const isRead = ({ method, role, streams, polls }: JsonRoute): boolean =>
  method === 'GET' && role !== null && streams === null && !polls

export const isChange = ({ method, auth }: JsonRoute): boolean => method !== 'GET' && auth !== 'none'

/** Routes without a credential have limits by address. */
export const isAuthenticated = ({ auth }: JsonRoute): boolean => auth !== 'none'
