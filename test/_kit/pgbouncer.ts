// A PgBouncer in front of the database of a test: the one on the PATH, otherwise that of Debian's package, unpacked below .cache.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listWithMissing, unpackPackages } from './debian-program.ts'
import { findFreePort } from './free-port.ts'
import { tryAgain } from './try-again.ts'
import { until } from './until.ts'

export type Pooler = {
  /** URL of the same database through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

type Program = { readonly path: string; readonly env: Record<string, string> }

/** Resolves when PgBouncer is ready. `settings` override the defaults. Throws an error that says how to install one. */
export const startPgBouncer = async (databaseUrl: string, settings: Settings): Promise<Pooler> =>
  await tryAgain(async () => await startOnce(databaseUrl, settings))

async function startOnce(databaseUrl: string, settings: Settings): Promise<Pooler> {
  const { path, env } = findPgBouncer()
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, describe(new URL(databaseUrl), { ...settings, listen_port: String(port) }))
  const child = spawn('setpriv', ['--pdeathsig=KILL', path, file], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error('PgBouncer ended at its start')
      return await answers(port)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: url.href, stop }
}

function describe(target: URL, settings: Settings): string {
  const { hostname, port, username, password, pathname } = target
  const all = {
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'any',
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const login = `user=${username} password=${decodeURIComponent(password)}`
  return `[databases]\n${pathname.slice(1)} = host=${hostname} port=${port} ${login}\n[pgbouncer]\n${lines.join('\n')}\n`
}

function findPgBouncer(): Program {
  if (spawnSync('pgbouncer', ['--version']).status === 0) return { path: 'pgbouncer', env: {} }
  try {
    const folder = unpackPackages('pgbouncer', () => listWithMissing('pgbouncer'))
    return {
      path: join(folder, 'usr/sbin/pgbouncer'),
      env: {
        LD_LIBRARY_PATH: globSync('usr/lib/*-linux-gnu', { cwd: folder })
          .map((one) => join(folder, one))
          .join(':'),
      },
    }
  } catch (error) {
    throw new Error(
      `There is no PgBouncer for the tests (${(error as Error).message}): put it on the PATH, or run them on a Debian whose apt can ` +
        'download the package pgbouncer (after `apt-get update`)',
      { cause: error },
    )
  }
}

/** Returns whether a server listens. Its answer is not checked, since that depends on its settings. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGKILL')
  await gone
}
