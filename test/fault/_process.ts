// The service as a real process of its own, so that it can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type ServiceProcess = {
  readonly baseUrl: string
  readonly pid: number
  /** Sends the signal and resolves when the process is gone: with its exit code, or null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Settings = Readonly<Record<string, string | number>>

const root = fileURLToPath(new URL('../../', import.meta.url))
// A child that hangs must not outlive its test.
const longestLifeMs = 60_000

/** Starts src/main.ts; resolves when it listens. Throws, with what it wrote, where it ends before. */
export async function startProcess(settings: Settings): Promise<ServiceProcess> {
  const env = Object.fromEntries(
    Object.entries({ PORT: 0, METRICS_PORT: 0, LOG_LEVEL: 'info', ...settings }).map(([name, value]) => [
      `TRACEWRIGHT_${name}`,
      String(value),
    ]),
  )
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), longestLifeMs)
  const exited = once(child, 'exit').finally(() => clearTimeout(killer))
  const port = await readPort(child)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal)
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** From the log line that tells it; later lines are read too, so that the pipe never fills up. */
function readPort(child: ChildProcess): Promise<number> {
  return new Promise((done, fail) => {
    const seen: string[] = []
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      if (seen.length < 50) seen.push(line)
      if (!line.startsWith('{')) return
      const { msg, port } = JSON.parse(line) as { msg?: string; port?: number }
      if (msg === 'listening' && port !== undefined) done(port)
    })
    lines.on('close', () => fail(new Error(`the service ended before it listened:\n${seen.join('\n')}`)))
  })
}
