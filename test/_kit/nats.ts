// NATS servers that tests can stop, suspend and restart: the machine's nats-server, otherwise Debian's in a chroot,
// otherwise docker compose.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../src/store/embedded/postmaster.ts'
import { findFreePorts } from './free-port.ts'
import { prepareTrixie } from './trixie.ts'
import { tryAgain } from './try-again.ts'
import { until } from './until.ts'

export type NatsSignal = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'

export type NatsServer = {
  readonly url: string
  /** Resolves when the signal was sent; for a signal that ends the server, when it has ended. */
  kill(signal: NatsSignal): Promise<void>
  /** Restarts the server on the same port, after ending it where it still runs. Resolves when it answers. */
  restart(): Promise<void>
  /** Ends the server in any state. */
  stop(): Promise<void>
}

/** All servers together, and each one in `servers`. The URL names all of them. */
export type TestNats = NatsServer & { readonly servers: readonly NatsServer[] }

export type NatsOptions = {
  /** Number of servers, connected by routes. Default: 1. */
  readonly cluster?: number
  /** Lines for each server's configuration. */
  readonly config?: string
}

const composeFile = fileURLToPath(new URL('./compose.yaml', import.meta.url))
const deadlineMs = 90_000

/** Returns the URL of the server that the test command has found or started for this run. Tests that stop or suspend a server start their own. */
export function useNats(): string {
  const { TEST_NATS_URL: url, TEST_NATS_FAULT: fault } = process.env
  if (url === undefined)
    throw new Error(fault ?? 'TEST_NATS_URL is not set: run the tests by `npm test` or `npm test -- <files>`')
  return url
}

/** Starts servers on free ports of 127.0.0.1; they end with this process. Throws an error that says how to install one. */
export async function startNats(options: NatsOptions = {}): Promise<TestNats> {
  const launch = await findLauncher()
  return await tryAgain(async () => await startOnFreePorts(launch, options))
}

async function startOnFreePorts(launch: Launcher, { cluster = 1, config = '' }: NatsOptions): Promise<TestNats> {
  const ports = await findFreePorts(cluster * 2)
  const clientPorts = ports.slice(0, cluster)
  const routePorts = ports.slice(cluster)
  const servers: NatsServer[] = []
  const each = async (act: (server: NatsServer) => Promise<void>): Promise<void> =>
    void (await Promise.all(servers.map(act)))
  const stop = (): Promise<void> => each((server) => server.stop())
  try {
    for (const [at, port] of clientPorts.entries()) {
      const lines = [cluster > 1 ? describeCluster(routePorts, at) : '', config]
      servers.push(await startServer(launch, port, lines.join('\n')))
    }
    for (const port of clientPorts)
      await until(async () => ((await readInfo(port))?.connect_urls?.length ?? 1) >= cluster, deadlineMs)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: servers.map(({ url }) => url).join(','),
    servers,
    kill: (signal) => each((server) => server.kill(signal)),
    restart: () => each((server) => server.restart()),
    stop,
  }
}

// The ping settings of the design: the subscriptions of a vanished client last seconds, not minutes.
const describeServer = (port: number, name: string): string =>
  `listen: "127.0.0.1:${port}"\nserver_name: "${name}"\nping_interval: "5s"\nping_max: 2\n`

const describeCluster = (ports: readonly number[], at: number): string =>
  `cluster { name: tests, listen: "127.0.0.1:${ports[at]}", routes: [${ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}] }\n`

/** A running server; `ended` resolves when it has ended. */
type Running = { readonly signal: (name: NatsSignal) => Promise<void>; readonly ended: Promise<void> }
type Launcher = { readonly folder: string; readonly run: (configFile: string) => Running }

async function startServer(launch: Launcher, port: number, config: string): Promise<NatsServer> {
  const name = randomUUID()
  const configFile = join(launch.folder, `nats-${process.pid}-${port}.conf`)
  writeFileSync(configFile, `${describeServer(port, name)}${config}`, { mode: 0o644 })
  let running: Running | null = null
  const start = async (): Promise<void> => {
    running = launch.run(configFile)
    let hasEnded = false
    void running.ended.then(() => {
      hasEnded = true
    })
    await until(async () => {
      // Another process has taken one of its ports, or its configuration is wrong.
      if (hasEnded) throw new Error(`nats-server on port ${port} ended at its start`)
      // Another server may have taken the port.
      return (await readInfo(port))?.server_name === name
    }, deadlineMs)
  }
  const kill = async (signal: NatsSignal): Promise<void> => {
    await running?.signal(signal)
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await running?.ended
  }
  const stop = async (): Promise<void> => {
    await kill('SIGKILL')
    rmSync(configFile, { force: true })
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  const restart = async (): Promise<void> => {
    await kill('SIGKILL')
    await start()
  }
  return { url: `nats://127.0.0.1:${port}`, kill, restart, stop }
}

async function findLauncher(): Promise<Launcher> {
  if (spawnSync('nats-server', ['--version']).status === 0)
    return {
      folder: tmpdir(),
      run: (file) => follow(spawn('setpriv', ['--pdeathsig=KILL', 'nats-server', '-c', file], { stdio: 'ignore' })),
    }
  let reason: string
  try {
    return prepareChroot(await prepareTrixie())
  } catch (error) {
    reason = (error as Error).message
  }
  if (spawnSync('docker', ['info']).status === 0) return { folder: tmpdir(), run: runByCompose }
  throw new Error(
    `There is no NATS for the tests (${reason}): put nats-server 2.10 or later on the PATH, run them as root on a machine ` +
      'with apt (debootstrap then makes one in .cache/trixie), or start a docker engine; TEST_NATS_URL serves the tests that leave it alone',
  )
}

function prepareChroot(root: string): Launcher {
  const folder = join(root, 'srv')
  for (const name of readdirSync(folder)) {
    const pid = /^nats-(\d+)-/.exec(name)?.[1]
    // A file of a run that was killed; its server has ended with it.
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
  const user = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', '--pdeathsig=KILL']
  return {
    folder,
    run: (file) =>
      follow(
        spawn('chroot', [root, ...user, '/usr/sbin/nats-server', '-c', `/srv/${basename(file)}`], { stdio: 'ignore' }),
      ),
  }
}

function follow(child: ChildProcess): Running {
  const ended = new Promise<void>((done) => child.once('close', () => done()).once('error', () => done()))
  return {
    ended,
    async signal(name) {
      child.kill(name)
      const { pid } = child
      // The call returns before the signal has stopped all threads: on a busy machine one of them may still answer.
      if (name === 'SIGSTOP' && pid !== undefined && hasProc) await until(() => isStopped(pid), deadlineMs)
    },
  }
}

const hasProc = existsSync('/proc/self/task')

function isStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      / T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').replace(/^.*\)/, '')),
    )
  } catch (error) {
    // A thread has ended since the threads were listed.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false
  }
}

/** Each server is a separate compose project on the network of this machine. */
function runByCompose(configFile: string): Running {
  const name = `tracewright-${basename(configFile, '.conf')}`
  const compose = (...args: string[]) =>
    spawn('docker', ['compose', '-p', name, '-f', composeFile, ...args], {
      stdio: 'ignore',
      env: { ...process.env, TEST_NATS_CONFIG: configFile },
    })
  const { ended } = follow(compose('up', '--no-log-prefix', 'nats'))
  return { signal: async (signal) => await follow(compose('kill', '--signal', signal, 'nats')).ended, ended }
}

type Info = { readonly server_name: string; readonly connect_urls?: readonly string[] }

/** Returns the server's INFO message; null where it sends none within a second. */
function readInfo(port: number): Promise<Info | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (info: Info | null): void => {
      socket.destroy()
      resolve(info)
    }
    socket.setTimeout(1_000, () => end(null))
    socket.once('error', () => end(null)).once('close', () => end(null))
    socket.on('data', (data: Buffer) => {
      text += data.toString()
      const line = /^INFO (.*)\r\n/.exec(text)?.[1]
      if (line !== undefined) end(JSON.parse(line) as Info)
    })
  })
}
