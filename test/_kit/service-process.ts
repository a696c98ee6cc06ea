// The service as a separate process, which a test can kill.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type TestSettings, toEnvironment } from './environment.ts'
import { findFreePort } from './free-port.ts'
import { inherited } from './inherited.ts'
import { leash } from './leash.ts'
import { until } from './until.ts'

export type ServiceProcess = {
  readonly baseUrl: string
  readonly pid: number
  /** Resolves when the process has ended, to the same value as `end`. */
  readonly ended: Promise<number | null>
  /** Sends the signal and resolves when the process has ended: to its exit code, or null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Another process has taken the port, or the machine stood still longer than a start waits for its database. */
const passing = /EADDRINUSE|timeout expired|Query read timeout/
const maxStarts = 3

/** Starts something up to three times, where only the machine has prevented it before. */
export async function startPatiently<T>(startOnce: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await startOnce()
    } catch (error) {
      if (nth === maxStarts || !passing.test(String(error))) throw error
    }
  }
}

/** Starts src/main.ts and resolves when it answers. Throws an error with its output where it ends before that. A child that hangs is killed. */
export async function startProcess(settings: TestSettings, longestLifeMs = 300_000): Promise<ServiceProcess> {
  return await startPatiently(async () => await startOnce(settings, longestLifeMs))
}

async function startOnce(settings: TestSettings, longestLifeMs: number): Promise<ServiceProcess> {
  const port = await findFreePort()
  // The same public URL for every start, so that tokens stay valid after a restart on another port.
  const own = { PORT: port, METRICS_PORT: 0, PUBLIC_URL: 'http://localhost:8080', PASSWORD_HASH_MEMORY_MIB: 19 }
  const env = toEnvironment({ ...own, ...settings })
  const [command, ...args] = [...leash, process.execPath, 'src/main.ts']
  const child = spawn(command, args, {
    cwd: root,
    // A service with an embedded PostgreSQL prints its welcome message there.
    stdio: ['ignore', 'pipe', settings['DATABASE_URL'] === undefined ? 'pipe' : 'inherit'],
    env: { ...inherited, ...env },
  })
  let written = ''
  const keep = (data: Buffer): void => {
    if (written.length < 20_000) written += data.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const killer = setTimeout(() => child.kill('SIGKILL'), longestLifeMs)
  const ended = once(child, 'exit').then(([code]) => {
    clearTimeout(killer)
    return code as number | null
  })
  const baseUrl = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended early:\n${written}`)
    return await answers(baseUrl)
  }, longestLifeMs)
  return {
    baseUrl,
    pid: child.pid ?? 0,
    ended,
    async end(signal) {
      child.kill(signal)
      return await ended
    },
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${baseUrl}/v1/health/ready`)
    return ok
  } catch {
    // No server listens yet.
    return false
  }
}
