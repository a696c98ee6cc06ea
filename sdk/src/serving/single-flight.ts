// SDK. Equal concurrent calls of a tool under a rule: the first one runs, the others wait for its result.
import { AsyncLocalStorage } from 'node:async_hooks'
import { between, type Moment } from './moment.ts'
import type { KeptResult } from './result-memory.ts'

export type Flight = {
  /** Passes the result to the waiting calls. Null: there is no result, and each of them runs for itself. Only the first call has an effect. */
  readonly land: (result: KeptResult | null) => void
  /** Runs the first call. Calls inside of it never join it: each would wait for the other. */
  readonly run: <Result>(call: () => Result) => Result
}

export type SharedResult = { readonly result: Promise<KeptResult | null>; readonly startedAt: Moment }

export type Flights = {
  /** Returns the equal call in progress; null where there is none that may be joined. */
  readonly find: (key: string) => SharedResult | null
  readonly lead: (tool: string, key: string) => Flight
  /** Calls of the tool that begin from now on do not join calls that began earlier. */
  readonly forget: (tool: string) => void
  /** Resolves to the result of the call in progress; null where it has none or does not end within `maxFlightMs`. */
  readonly join: (shared: SharedResult) => Promise<KeptResult | null>
}

// A call that hangs must not delay the calls that an agent starts after its own timeout.
export const maxFlightMs = 10_000

export function makeFlights(clock: () => Moment): Flights {
  const flying = new Map<string, SharedResult & { readonly tool: string }>()
  const around = new AsyncLocalStorage<readonly SharedResult[]>()
  return {
    find(key) {
      const shared = flying.get(key)
      if (shared === undefined || around.getStore()?.includes(shared) === true) return null
      return between(shared.startedAt, clock()) >= maxFlightMs ? null : shared
    },
    lead(tool, key) {
      let resolve: (result: KeptResult | null) => void = () => undefined
      const result = new Promise<KeptResult | null>((done) => {
        resolve = done
      })
      const own = { result, startedAt: clock(), tool }
      flying.set(key, own)
      return {
        land(given) {
          if (flying.get(key) === own) flying.delete(key)
          resolve(given)
        },
        run: (call) => around.run([...(around.getStore() ?? []), own], call),
      }
    },
    forget(tool) {
      for (const [key, shared] of flying) if (shared.tool === tool) flying.delete(key)
    },
    async join({ result, startedAt }) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), maxFlightMs - between(startedAt, clock()))
      })
      try {
        return await Promise.race([result, late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
