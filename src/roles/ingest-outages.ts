// Counts ingest requests that were refused and may be sent again, each under the limit or failure that refused it.
import type { ByteBudget } from '../base/byte-budget.ts'
import { Outage } from '../base/fault.ts'
import type { IngestDeps } from '../ingest/ingest-request.ts'
import type { RateLimit } from '../web/rate-limit.ts'

type OnRefused = (reason: string) => void
type Stages = Pick<IngestDeps, 'facts' | 'pool' | 'store'>

/** Returns the same stages, which call `onRefused` for each Outage. */
export function countOutages({ facts, pool, store }: Stages, onRefused: OnRefused): Stages {
  async function count<T>(work: Promise<T>, full: string, failed: string, cut?: AbortSignal): Promise<T> {
    try {
      return await work
    } catch (error) {
      // A hold that is cut is counted by its budget.
      if (error instanceof Outage && error !== cut?.reason) onRefused(error.kind === 'limit' ? full : failed)
      throw error
    }
  }
  return {
    facts: { ...facts, read: (workspaceId) => count(facts.read(workspaceId), 'database', 'database') },
    pool: { decode: (task, hold) => count(pool.decode(task, hold), 'decode_queue', 'decode_failed', hold?.cut) },
    store: { store: (batch) => count(store.store(batch), 'commit_queue', 'database') },
  }
}

/** Returns the same budget, which calls `onRefused` for each hold that finds no room or is cut. */
export function countFullBudget(budget: ByteBudget, onRefused: OnRefused): ByteBudget {
  return {
    ...budget,
    open(owner, cut) {
      let isCut = false
      const hold = budget.open(owner, () => {
        isCut = true
        onRefused('body_bytes')
        cut()
      })
      return {
        ...hold,
        take(bytes) {
          const isTaken = hold.take(bytes)
          if (!isTaken && !isCut) onRefused('body_bytes')
          return isTaken
        },
      }
    },
  }
}

/** Returns the same limit, which calls `onRefused` for each request above it. */
export function countRateLimited(limit: RateLimit, onRefused: OnRefused): RateLimit {
  return {
    async consume(caller) {
      try {
        await limit.consume(caller)
      } catch (error) {
        if (error instanceof Outage) onRefused('rate_limit')
        throw error
      }
    },
  }
}
