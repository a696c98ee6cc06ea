// Which bound or failure refused an ingest request that may be sent again: each counted by its own reason.
import type { ByteBudget } from '../base/byte-budget.ts'
import { Outage } from '../base/fault.ts'
import type { TakeDeps } from '../ingest/take.ts'
import type { RateLimit } from '../web/rate-limit.ts'

type OnRefused = (reason: string) => void
type Stages = Pick<TakeDeps, 'facts' | 'pool' | 'store'>

/** The same stages; `onRefused` is told of each Outage. One without a cause is a bound of ours, one with a cause is somebody's failure. */
export function tellOutages({ facts, pool, store }: Stages, onRefused: OnRefused): Stages {
  async function tell<T>(work: Promise<T>, full: string, failed: string): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof Outage) onRefused(error.cause === undefined ? full : failed)
      throw error
    }
  }
  return {
    facts: { ...facts, read: (workspaceId) => tell(facts.read(workspaceId), 'database', 'database') },
    pool: { decode: (task) => tell(pool.decode(task), 'decode_queue', 'decode_failed') },
    store: { store: (batch) => tell(store.store(batch), 'commit_queue', 'database') },
  }
}

/** The same budget; `onRefused` is told of each hold that finds no room or gives way. */
export function tellFull(budget: ByteBudget, onRefused: OnRefused): ByteBudget {
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

/** The same limit; `onRefused` is told of each request above it. */
export function tellTooMany(limit: RateLimit, onRefused: OnRefused): RateLimit {
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
