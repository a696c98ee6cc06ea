// One process of a local cluster, on fixed ports, which can be killed, frozen and restarted.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { toEnvironment } from '../_kit/environment.ts'
import { inherited } from '../_kit/inherited.ts'
import { leash } from '../_kit/leash.ts'
import { tryAgain } from '../_kit/try-again.ts'
import { until } from '../_kit/until.ts'

export type Role = 'front' | 'actor' | 'all'

export type SourceTree = {
  /** The folder with its source. */
  readonly tree: string
  /** Variables for its processes. */
  readonly env: Readonly<Record<string, string>>
}

export type Part = {
  readonly name: string
  readonly role: Role
  readonly baseUrl: string
  readonly metricsUrl: string
  /** Null while it does not run. */
  pid(): number | null
  /** Returns a setting by its name without the prefix. */
  setting(name: string): string | undefined
  /** Changes settings from the next start on; undefined removes one. */
  change(settings: Readonly<Record<string, string | undefined>>): void
  /** From its next start on it runs this release. */
  moveTo(release: SourceTree): void
  /** Resolves when it listens. Throws, with its output, if it ends before. */
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Sends the signal; resolves when the process has ended: with its exit code, or null if a signal ended it or it did not run. */
  end(name: NodeJS.Signals): Promise<number | null>
  isReady(): Promise<boolean>
  /** Returns what it reports about itself. Throws if it does not answer within a second. */
  readStatus(): Promise<Status>
}

export type Status = {
  readonly member: string
  readonly boot: string
  readonly pid: number
  readonly uptime_s: number
  readonly event_loop_lag_ms: number
  readonly rss_bytes: number
  readonly front: { routes_known: number; breakers_open: number; database_away: boolean } | null
  readonly actor: {
    readonly ready: boolean
    readonly fence: string | null
    readonly fences: Readonly<Record<string, number>>
    readonly echo_age_ms: number | null
    readonly database_age_ms: number | null
    readonly orphans: number
    readonly claimed: number
    readonly owned: readonly (readonly [partition: number, epoch: number])[]
    readonly members: readonly { name: string; boot: string; live: boolean; ready: boolean; silent_ms: number }[]
  } | null
}

export type PartOptions = {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly metricsPort: number
  /** Settings by their names without the prefix. */
  readonly settings: Readonly<Record<string, string | number>>
  /** Further arguments of node, before the program. */
  readonly nodeArguments?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly onExit?: (part: Part) => void
}

const root = fileURLToPath(new URL('../../', import.meta.url))
// Below the time limit of a test: on a machine that starts three clusters and installs packages, 30 s were not enough.
const startDeadlineMs = 120_000
const endDeadlineMs = 40_000

/** Makes a part without starting it. */
export function makePart(options: PartOptions): Part {
  const { name, role, port, metricsPort, settings } = options
  const baseUrl = `http://127.0.0.1:${port}`
  const metricsUrl = `http://127.0.0.1:${metricsPort}`
  const all = { ROLES: role, MEMBER_NAME: name, PORT: port, METRICS_PORT: metricsPort, ...settings }
  const given = new Map(Object.entries(all).map(([key, value]) => [key, String(value)]))
  let release: SourceTree = { tree: root, env: {} }
  let child: ChildProcess | null = null
  let exited: Promise<number | null> = Promise.resolve(null)
  let written = ''

  const part: Part = {
    name,
    role,
    baseUrl,
    metricsUrl,
    pid: () => child?.pid ?? null,
    setting: (key) => given.get(key),
    change(changes) {
      for (const [key, value] of Object.entries(changes))
        if (value === undefined) given.delete(key)
        else given.set(key, value)
    },
    moveTo(next) {
      release = next
    },
    start: () => tryAgain(startOnce),
    signal(signal) {
      child?.kill(signal)
    },
    async end(signal) {
      const ending = child
      ending?.kill(signal)
      const killer = setTimeout(() => ending?.kill('SIGKILL'), endDeadlineMs)
      return await exited.finally(() => clearTimeout(killer))
    },
    isReady: () => isOk(`${baseUrl}/v1/health/ready`),
    async readStatus() {
      const response = await fetch(`${metricsUrl}/status`, { signal: AbortSignal.timeout(1_000) })
      return (await response.json()) as Status
    },
  }

  async function startOnce(): Promise<void> {
    const env = toEnvironment(Object.fromEntries(given))
    const [command, ...args] = [...leash, process.execPath, ...(options.nodeArguments ?? []), 'src/main.ts']
    const started = spawn(command, args, {
      cwd: release.tree,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inherited, ...release.env, ...options.env, ...env },
      // Ctrl-C reaches the script only, which then stops the parts in order.
      detached: true,
    })
    child = started
    written = ''
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (data: Buffer) => {
        written = (written + data.toString()).slice(-20_000)
      })
    exited = new Promise((done) => started.once('exit', done))
    void exited.then(() => {
      if (child === started) child = null
      options.onExit?.(part)
    })
    await until(async () => {
      if (child !== started) throw new Error(`${name} ended while it was starting:\n${written}`)
      return await isOk(`${baseUrl}/v1/health/live`)
    }, startDeadlineMs)
  }
  return part
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    // The port is closed, or the process hangs.
    return false
  }
}
