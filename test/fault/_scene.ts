// A cluster to do something to: real processes, a NATS and a database of its own, and a probe that asks the owners.
import { startNats, type TestNats } from '../_kit/nats.ts'
import { openRelay, type Relay } from '../_kit/relay.ts'
import { type Standstill, watchStandstill } from '../_kit/standstill.ts'
import { type Cluster, type ClusterOptions, openCluster } from '../cluster/_cluster.ts'
import type { Part, PartOptions } from '../cluster/_part.ts'
import { openSceneDatabase, type SceneDatabase } from './_database.ts'
import type { Mutation } from './_mutant.ts'
import { openProbe, type Probe } from './_probe.ts'

export type Scene<Database extends SceneDatabase = SceneDatabase> = {
  readonly cluster: Cluster
  readonly nats: SceneNats
  readonly database: Database
  readonly probe: Probe
  /** One actor, and the only ways that it has to the others. */
  readonly remote: { readonly actor: Part; readonly nats: Relay; readonly database: Relay }
  /** How long the machine kept this process from running, since the scenario began. */
  readonly still: Pick<Standstill, 'reset' | 'totalMs'>
  /** The actor that owns most of what the probe asks, with those partitions. */
  findOwner(): Promise<{ readonly owner: Part; readonly partitions: number[] }>
  /** Of each partition by the database: a change is a change of ownership. */
  readEpochs(): Promise<number[]>
  stop(): Promise<void>
}

export type SceneNats = TestNats & {
  /** Which servers a part knows, where not all know all of them. */
  readonly urlOf?: (part: string) => string
  /** The only way between two servers, where there is one. */
  readonly route?: Relay
}

export type SceneOptions<Database extends SceneDatabase> = Pick<ClusterOptions, 'fronts' | 'actors' | 'settings'> & {
  readonly openDatabase?: () => Promise<Database>
  readonly mutations?: readonly Mutation[]
  /** How wrong the wall clocks of some members are, in ms, by their names. */
  readonly skews?: Readonly<Record<string, number>>
  readonly natsServers?: number
  readonly openNats?: () => Promise<SceneNats>
}

// Small pools: many processes share a server. A front drains for as long as the balancer needs to see it.
const smallSettings = {
  DATABASE_INGEST_CONNECTIONS: 3,
  DATABASE_READ_CONNECTIONS: 2,
  DATABASE_CONTROL_CONNECTIONS: 3,
  DECODE_THREADS: 1,
  SETTLE_QUIET_MS: 200,
  DRAIN_DELAY_MS: 500,
  DRAIN_MS: 5_000,
}

const remoteName = 'actor-3'

const urlOf = (file: string): string => new URL(file, import.meta.url).href

/** Everything is owned, and each owner has answered, when it resolves. */
export async function openScene<Database extends SceneDatabase = SceneDatabase>(
  options: SceneOptions<Database> = {},
): Promise<Scene<Database>> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end()
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
    const { mutations = [], skews = {}, settings, fronts, actors } = options
    const cluster = await openCluster({
      ...(fronts === undefined ? {} : { fronts }),
      ...(actors === undefined ? {} : { actors }),
      databaseUrl: database.url,
      nats,
      settings: { ...smallSettings, ...settings },
      partSettings: (name): PartOptions['settings'] =>
        name === remoteName
          ? {
              NATS_URL: nats.urlOf?.(name) ?? (natsServers > 1 ? nats.url : ways.nats.url),
              DATABASE_URL: ways.database.url,
            }
          : { NATS_URL: nats.urlOf?.(name) ?? nats.url },
      nodeArguments: [
        ...(mutations.length > 0 ? ['--import', urlOf('./_mutant.ts')] : []),
        ...(Object.keys(skews).length > 0 ? ['--import', urlOf('./_skew.ts')] : []),
      ],
      env: { MUTANT: JSON.stringify(mutations), CLOCK_SKEWS: JSON.stringify(skews) },
    })
    stops.push(cluster.stop)
    const probe = await openProbe(nats.servers.at(-1)?.url ?? nats.url, database.query)
    stops.push(probe.stop)
    const still = watchStandstill()
    stops.push(() => Promise.resolve(still.stop()))
    const remote = cluster.actors.find(({ name }) => name === remoteName)
    if (remote === undefined) throw new Error(`there is no ${remoteName}`)
    return {
      remote: { actor: remote, nats: ways.nats.relay, database: ways.database.relay },
      cluster,
      nats,
      database,
      probe,
      still,
      stop,
      async findOwner() {
        const owners = await cluster.readOwners()
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
