// A cluster on this machine, and the commands that kill and watch its parts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startNats } from '../_kit/nats.ts'
import { type Stops, withStops } from '../bench/_stops.ts'
import { type Cluster, openCluster, readStatuses } from './_cluster.ts'
import type { LocalOptions } from './_options.ts'
import type { Part } from './_part.ts'
import { startLocalDatabase } from './_servers.ts'
import { stateFile } from './_status.ts'
import { writeTable } from './_table.ts'

const restartMs = 1_000

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const help = `Enter: the table again · k <part>: kill -9 · t <part>: SIGTERM · s <part>: freeze · c <part>: go on · r <part>: restart
nats stop|start|freeze|go · q or Ctrl-C: stop everything`

let isStopping = false

/** Runs until a signal. */
export const runLocalCluster = async (options: LocalOptions): Promise<void> =>
  await withStops(async (stops) => await run(stops, options))

async function run(stops: Stops, { restart, port, fronts, actors }: LocalOptions): Promise<void> {
  const database = await stops.start(startLocalDatabase(say), (one) => one.stop())
  const nats = await stops.start(startNats(), (one) => one.stop())
  const cluster = stops.add(
    await openCluster({
      databaseUrl: database.url,
      nats,
      fronts,
      actors,
      port,
      settings: { PUBLIC_URL: `http://localhost:${port}` },
      onExit: (part) => {
        if (isStopping) return
        say(`${part.name} has ended${restart ? '; it is started again' : `: r ${part.name} starts it again`}`)
        if (restart) setTimeout(() => void start(part), restartMs)
      },
    }),
    async (one) => {
      isStopping = true
      await one.stop()
      rmSync(stateFile, { force: true })
    },
  )
  mkdirSync(fileURLToPath(new URL('.', `file://${stateFile}`)), { recursive: true })
  const parts = cluster.parts.map(({ name, role, baseUrl, metricsUrl }) => ({ name, role, baseUrl, metricsUrl }))
  writeFileSync(stateFile, JSON.stringify(parts))
  say(`${database.name} ${database.url}`)
  say(`NATS ${nats.url}`)
  say(`The service: ${cluster.baseUrl} (fronts in turn)\n`)
  await show(cluster)
  say(help)
  const lines = createInterface({ input: process.stdin })
  // If stdin is a pipe, its end leaves the cluster running until a signal.
  if (process.stdin.isTTY) lines.once('close', () => process.kill(process.pid, 'SIGINT'))
  lines.on('line', (line) => {
    act(cluster, nats, line.trim().split(/\s+/)).catch((error: unknown) => say((error as Error).message))
  })
  await new Promise(() => undefined)
}

async function show(cluster: Cluster): Promise<void> {
  say(writeTable(await readStatuses(cluster.parts)))
}

async function start(part: Part): Promise<void> {
  if (isStopping || part.pid() !== null) return
  await part.start().catch((error: unknown) => say((error as Error).message))
}

const signals = { k: 'SIGKILL', t: 'SIGTERM', s: 'SIGSTOP', c: 'SIGCONT' } as const

type Nats = Awaited<ReturnType<typeof startNats>>

async function act(cluster: Cluster, nats: Nats, [word = '', name = '']: readonly string[]): Promise<void> {
  if (word === 'q') {
    process.kill(process.pid, 'SIGINT')
    return
  }
  if (word === 'nats') return await actOnNats(nats, name)
  if (word === '') return await show(cluster)
  const part = cluster.parts.find((one) => one.name === name)
  if (part === undefined) {
    if (name !== '') say(`There is no part ${name}; the parts are ${cluster.parts.map((one) => one.name).join(', ')}`)
    return say(help)
  }
  if (word === 'r') {
    await part.end('SIGTERM')
    await start(part)
  } else if (word in signals) part.signal(signals[word as keyof typeof signals])
  else return say(help)
  await show(cluster)
}

async function actOnNats(nats: Nats, what: string): Promise<void> {
  if (what === 'stop') await nats.kill('SIGTERM')
  else if (what === 'start') await nats.restart()
  else if (what === 'freeze') await nats.kill('SIGSTOP')
  else if (what === 'go') await nats.kill('SIGCONT')
  else say(help)
}
