// The service as a real process of its own, so that it can be killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../src/store/free-port.ts'
import { type Settings, toEnvironment } from './environment.ts'
import { inherited } from './inherited.ts'

export type ServiceProcess = {
  readonly baseUrl: string
  readonly pid: number
  /** Sends the signal and resolves when the process is gone: with its exit code, or null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const pollMs = 10
/** Starts src/main.ts; resolves when it answers. Throws, with what it wrote, where it ends before. A child that hangs is killed. */
export async function startProcess(settings: Settings, longestLifeMs = 300_000): Promise<ServiceProcess> {
  const port = await findFreePort()
  const env = toEnvironment({ PORT: port, METRICS_PORT: 0, ...settings })
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, ...env },
  })
  let written = ''
  child.stdout.on('data', (data: Buffer) => {
    if (written.length < 20_000) written += data.toString()
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), longestLifeMs)
  const exited = once(child, 'exit').finally(() => clearTimeout(killer))
  const baseUrl = `http://127.0.0.1:${port}`
  while (!(await answers(baseUrl))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended early:\n${written}`)
    await new Promise((done) => setTimeout(done, pollMs))
  }
  return {
    baseUrl,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal)
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${baseUrl}/v1/health/ready`)
    return ok
  } catch {
    // Nobody listens yet.
    return false
  }
}
