// Fronts and actors as separate processes behind one port, over an existing database and NATS.
import { randomBytes } from 'node:crypto'
import { makePlacement } from '../../src/actors/owner/placement.ts'
import { partitionCount } from '../../src/actors/partition.ts'
import { findFreePorts } from '../_kit/free-port.ts'
import type { NatsServer } from '../_kit/nats.ts'
import { until } from '../_kit/until.ts'
import { openBalancer } from './_balancer.ts'
import { makePart, type Part, type PartOptions, type Role, type Status } from './_part.ts'

export type Cluster = {
  readonly fronts: readonly Part[]
  readonly actors: readonly Part[]
  readonly parts: readonly Part[]
  /** Address of the balancer. */
  readonly baseUrl: string
  /** Resolves when each part is ready, and every partition has one live owner. */
  settled(timeoutMs?: number): Promise<void>
  /** Resolves when each partition is where it belongs, so that no move is pending. */
  balanced(timeoutMs?: number): Promise<void>
  /** Returns the owner of each partition, as the actors report it; null where not exactly one actor reports it. */
  readOwners(): Promise<(Part | null)[]>
  /**
   * Ends a part in order, as an operator does: the balancer forwards nothing to a front any more before the front is told. Resolves to its
   * exit code, or null if a signal ended it.
   */
  endInOrder(part: Part): Promise<number | null>
  stop(): Promise<void>
}

export type ClusterOptions = {
  readonly databaseUrl: string
  readonly nats: Pick<NatsServer, 'url' | 'kill'>
  readonly fronts?: number
  readonly actors?: number
  /** Port of the balancer; 0 or undefined: a free one. */
  readonly port?: number
  readonly settings?: PartOptions['settings']
  readonly secret?: string
  /** Settings in which one part differs. */
  readonly partSettings?: (name: string) => PartOptions['settings']
  readonly nodeArguments?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly onExit?: (part: Part) => void
}

/** Pause between two rounds of questions to all parts, which take CPU time from what they wait for. */
const askedPauseMs = 200

/** Resolves when the cluster is settled. Throws if a part does not start; no part is left running then. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { fronts: frontCount = 2, actors: actorCount = 3 } = options
  const ports = await findFreePorts((frontCount + actorCount) * 2)
  const secret = options.secret ?? randomBytes(32).toString('base64url')
  const shared = {
    DATABASE_URL: options.databaseUrl,
    NATS_URL: options.nats.url,
    SECRET: secret,
    LOG_LEVEL: 'warn',
    AUTH_RATE_LIMITS: 'off',
    PASSWORD_HASH_MEMORY_MIB: 19,
    // The issuer of tokens: by default each front would have a different one, by its port.
    PUBLIC_URL: 'http://localhost:8080',
    ...options.settings,
  }
  const make = (role: Role, count: number): Part[] =>
    Array.from({ length: count }, (_, at) => {
      const name = `${role}-${at + 1}`
      const { nodeArguments, env, onExit } = options
      return makePart({
        name,
        role,
        port: ports.pop() ?? 0,
        metricsPort: ports.pop() ?? 0,
        settings: { ...shared, ...options.partSettings?.(name) },
        ...(nodeArguments === undefined ? {} : { nodeArguments }),
        ...(env === undefined ? {} : { env }),
        ...(onExit === undefined ? {} : { onExit }),
      })
    })
  const fronts = make('front', frontCount)
  const actors = make('actor', actorCount)
  const parts = [...fronts, ...actors]
  // Opened first, since its port may be taken.
  const balancer = await openBalancer(fronts, options.port ?? 0)

  async function readOwners(): Promise<(Part | null)[]> {
    const claims = Array.from({ length: partitionCount }, (): Part[] => [])
    for (const { part, status } of await readStatuses(actors)) {
      if (status?.actor?.fence === null) for (const [pid] of status.actor.owned) claims[pid]?.push(part)
    }
    return claims.map((owners) => (owners.length === 1 ? (owners[0] ?? null) : null))
  }

  async function settled(timeoutMs?: number): Promise<void> {
    await until(
      async () => {
        const running = parts.filter((part) => part.pid() !== null)
        if (!(await Promise.all(running.map((part) => part.isReady()))).every(Boolean)) return false
        return (await readOwners()).every((owner) => owner !== null)
      },
      timeoutMs,
      askedPauseMs,
    )
  }

  const placement = makePlacement(actors.map(({ name }) => name))
  async function balanced(timeoutMs?: number): Promise<void> {
    await until(
      async () => (await readOwners()).every((owner, pid) => owner?.name === placement.rank(pid)[0]),
      timeoutMs,
      askedPauseMs,
    )
  }

  async function endInOrder(part: Part): Promise<number | null> {
    balancer.leave(part)
    // Once it has ended, it refuses connections, and the balancer takes the next front.
    return await part.end('SIGTERM').finally(() => balancer.join(part))
  }

  async function stop(): Promise<void> {
    await Promise.all(
      parts.map(async (part) => {
        // A frozen process receives no other signal.
        part.signal('SIGCONT')
        await part.end('SIGKILL')
      }),
    )
    await balancer.stop()
  }

  try {
    // NATS is held until all parts run, so that they settle together: otherwise the first part would take everything and hand it over ten
    // seconds later.
    await options.nats.kill('SIGSTOP')
    const starts = await Promise.allSettled(parts.map((part) => part.start()))
    await options.nats.kill('SIGCONT')
    const failed = starts.find((start) => start.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  return { fronts, actors, parts, baseUrl: balancer.baseUrl, settled, balanced, readOwners, endInOrder, stop }
}

export type PartStatus = { readonly part: Part; readonly status: Status | null }

/** The status is null if a part does not answer. */
export async function readStatuses(parts: readonly Part[]): Promise<PartStatus[]> {
  return await Promise.all(parts.map(async (part) => ({ part, status: await part.readStatus().catch(() => null) })))
}
