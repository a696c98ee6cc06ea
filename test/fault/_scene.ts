// A cluster to inject faults into: real processes, its own NATS and database, and a probe that sends requests to the owners.
import { type Link, openLink } from '../_kit/link.ts'
import { startNats, type TestNats } from '../_kit/nats.ts'
import { openRelay, type Relay } from '../_kit/relay.ts'
import { inSoak } from '../_kit/soak.ts'
import { type Standstill, watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { type Cluster, type ClusterOptions, openCluster } from '../cluster/_cluster.ts'
import type { Part } from '../cluster/_part.ts'
import { openSceneDatabase, type SceneDatabase } from './_database.ts'
import type { Mutation } from './_mutant.ts'
import { openProbe, type Probe } from './_probe.ts'

export type Scene<Database extends SceneDatabase = SceneDatabase> = {
  readonly cluster: Cluster
  readonly nats: SceneNats
  readonly database: Database
  readonly probe: Probe
  /** The only connection of the part `linked` to the database. */
  readonly link: Link | null
  /** One actor, and the only connections that it and the other `far` parts have to the rest. */
  readonly remote: { readonly actor: Part; readonly nats: Relay; readonly database: Relay }
  /** How long the machine kept this process from running, since the scenario began. */
  readonly still: Pick<Standstill, 'reset' | 'totalMs'>
  /** The actor that owns most of the probed partitions, with those partitions. */
  findOwner(): Promise<{ readonly owner: Part; readonly partitions: number[] }>
  /** The epoch of each partition from the database: a change is a change of ownership. */
  readEpochs(): Promise<number[]>
  /** `end` is called when the cluster has ended. */
  atEnd(end: () => void): void
  stop(): Promise<void>
}

export type SceneNats = TestNats & {
  /** The servers that a part knows, where not all parts know all servers. */
  readonly urlOf?: (part: string) => string
  /** The only connection between two servers, if there is one. */
  readonly route?: Relay
}

export type SceneOptions<Database extends SceneDatabase> = Pick<ClusterOptions, 'fronts' | 'actors' | 'settings'> & {
  readonly openDatabase?: () => Promise<Database>
  /** Roles of the processes of the actors; by default an actor alone. */
  readonly actorRoles?: 'front,actor'
  readonly mutations?: readonly Mutation[]
  /** Errors of the wall clocks of some members, in ms, by member name. */
  readonly skews?: Readonly<Record<string, number>>
  readonly natsServers?: number
  readonly openNats?: () => Promise<SceneNats>
  /** Parts that reach the others only through `remote`, including one actor. */
  readonly far?: readonly string[]
  /** A part whose link to the database can stop in the middle of a message. */
  readonly linked?: string
}

// Small pools, since many processes share a server. A front drains for as long as the balancer usually needs to notice.
const smallSettings = {
  DATABASE_INGEST_CONNECTIONS: 3,
  DATABASE_READ_CONNECTIONS: 2,
  DATABASE_CONTROL_CONNECTIONS: 3,
  DECODE_THREADS: 1,
  // An actor looks for quiet traces four times in this time.
  SETTLE_QUIET_MS: inSoak(1_000, 200),
  DRAIN_DELAY_MS: 500,
  DRAIN_MS: 5_000,
}

const usuallyFar = ['actor-3']

/** For scenarios in which the number of possible successors does not matter: a third actor costs as much as a second one. */
export const twoActors = { actors: 2, far: ['actor-2'] } as const

const urlOf = (file: string): string => new URL(file, import.meta.url).href

/** Resolves when every partition is owned and each owner has answered. */
export async function openScene<Database extends SceneDatabase = SceneDatabase>(
  options: SceneOptions<Database> = {},
): Promise<Scene<Database>> {
  const ends: (() => void)[] = []
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end()
    for (const end of ends) end()
  }
  try {
    const open = options.openDatabase ?? (openSceneDatabase as unknown as () => Promise<Database>)
    const database = await open()
    stops.push(database.stop)
    const { natsServers = 1 } = options
    const nats: SceneNats = await (options.openNats?.() ?? startNats({ cluster: natsServers }))
    stops.push(nats.stop)
    const [firstServer = nats] = nats.servers
    const ways = { nats: await openWay(firstServer.url), database: await openWay(database.url) }
    stops.push(ways.nats.relay.stop, ways.database.relay.stop)
    const link = options.linked === undefined ? null : await openLink(database.url)
    if (link !== null) stops.push(link.stop)
    const { mutations = [], skews = {}, settings, fronts, actors, far = usuallyFar, actorRoles } = options
    const rolesOf = (name: string): Record<string, string> =>
      actorRoles !== undefined && name.startsWith('actor') ? { ROLES: actorRoles } : {}
    const urlsOf = (name: string): Record<string, string> => {
      const NATS_URL = nats.urlOf?.(name) ?? (far.includes(name) && natsServers === 1 ? ways.nats.url : nats.url)
      if (far.includes(name)) return { NATS_URL, DATABASE_URL: ways.database.url }
      return { NATS_URL, ...(link === null || name !== options.linked ? {} : { DATABASE_URL: link.url(database.url) }) }
    }
    const cluster = await openCluster({
      ...(fronts === undefined ? {} : { fronts }),
      ...(actors === undefined ? {} : { actors }),
      databaseUrl: database.url,
      nats,
      settings: { ...smallSettings, ...settings },
      partSettings: (name) => ({ ...rolesOf(name), ...urlsOf(name) }),
      nodeArguments: [
        ...(mutations.length > 0 ? ['--import', urlOf('./_mutant.ts')] : []),
        ...(Object.keys(skews).length > 0 ? ['--import', urlOf('./_skew.ts')] : []),
      ],
      env: { MUTANT: JSON.stringify(mutations), CLOCK_SKEWS: JSON.stringify(skews) },
    })
    stops.push(cluster.stop)
    const probe = await openProbe(
      nats.servers.at(-1)?.url ?? nats.url,
      database.query,
      cluster.actors.map(({ name }) => name),
    )
    stops.push(probe.stop)
    const still = watchStandstill()
    stops.push(() => Promise.resolve(still.stop()))
    const remote = cluster.actors.find(({ name }) => far.includes(name))
    if (remote === undefined) throw new Error(`there is no actor among ${far.join()}`)
    return {
      link,
      remote: { actor: remote, nats: ways.nats.relay, database: ways.database.relay },
      cluster,
      nats,
      database,
      probe,
      still,
      atEnd: (end) => void ends.push(end),
      stop,
      async findOwner() {
        let owners: Awaited<ReturnType<typeof cluster.readOwners>> = []
        // None of the actors may have answered in time.
        await until(async () => {
          owners = await cluster.readOwners()
          return probe.partitions.some((pid) => owners[pid] !== null)
        })
        const owned = Map.groupBy(probe.partitions, (pid) => owners[pid])
        const [most] = [...owned].filter(([part]) => part != null).sort((a, b) => b[1].length - a[1].length)
        if (most?.[0] == null) throw new Error('nobody owns anything')
        return { owner: most[0], partitions: most[1] }
      },
      async readEpochs() {
        const rows = await database.query<{ epoch: number }>(
          'select epoch::float8 as epoch from partitions order by pid',
        )
        return rows.map(({ epoch }) => epoch)
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openWay(address: string): Promise<{ readonly url: string; readonly relay: Relay }> {
  const url = new URL(address)
  const relay = await openRelay(Number(url.port))
  url.port = String(relay.port)
  return { url: url.href.replace(/\/$/, ''), relay }
}
