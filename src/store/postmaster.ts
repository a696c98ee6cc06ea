// PostgreSQL's main process: found by its lock file, seen to end, stopped; and what it leaves behind where it is killed.
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Postmaster = {
  readonly pid: number
  isRunning(): boolean
  /** Resolves when it has ended, for whatever reason; holds no event loop. */
  readonly ended: Promise<void>
}

export type Found = { readonly postmaster: Postmaster; readonly port: number }

const watchIntervalMs = 250
const pollMs = 50

/** One that runs on the cluster, by its postmaster.pid (line 1 the process, line 4 the port). */
export function findRunning(cluster: string): Found | null {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  // The system may have given the number to another program since, and a process that nobody waits for stays listed without a command.
  const isRunning = (): boolean => isAlive(pid) && (readCommand(pid)?.includes(cluster) ?? true)
  if (!isRunning()) return null
  return { postmaster: { pid, isRunning, ended: watch(isRunning) }, port }
}

/** One that this process has started. Throws where that failed. */
export function followChild(child: ChildProcess): Postmaster {
  const ended = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const { pid } = child
  if (pid === undefined) throw new Error(`PostgreSQL could not be started from ${child.spawnfile}`)
  return { pid, isRunning: () => child.exitCode === null && child.signalCode === null, ended }
}

/** Of a process that is no child the system tells nobody. */
function watch(isRunning: () => boolean): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (isRunning()) return
      clearInterval(timer)
      done()
    }, watchIntervalMs).unref()
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** With a NUL after each argument; null where the system does not tell, and empty of a process that has ended. */
function readCommand(pid: number): string | null {
  if (!existsSync('/proc/self/cmdline')) return null
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended since.
    return ''
  }
}

const forceAfterDefaultMs = 10_000
const killAfterMs = 2_000

/**
 * Fast shutdown, which ends with a checkpoint; an immediate one after `forceAfterMs`, and SIGKILL 2 s later. A process that is stopped
 * is continued, or it would not see the first two.
 */
export async function stopPostmaster(
  { pid, isRunning }: Postmaster,
  forceAfterMs: number = forceAfterDefaultMs,
): Promise<void> {
  if (!isRunning()) return
  signal(pid, 'SIGINT')
  signal(pid, 'SIGCONT')
  const startedAtMs = performance.now()
  while (isRunning()) {
    const waitedMs = performance.now() - startedAtMs
    if (waitedMs >= forceAfterMs + killAfterMs) signal(pid, 'SIGKILL')
    else if (waitedMs >= forceAfterMs) signal(pid, 'SIGQUIT')
    await sleep(pollMs)
  }
}

/** Whether the postmaster has one: it has it for as long as it starts or recovers. Null where the system does not tell. */
export function hasStartupProcess(postmaster: number): boolean | null {
  if (!existsSync('/proc/self/cmdline')) return null
  return listProcesses().some(
    (pid) => /^postgres: (?:[^ ]+: )?startup\b/.test(readCommand(pid) ?? '') && readParent(pid) === postmaster,
  )
}

const quitDeadlineMs = 2_000
const killDeadlineMs = 4_000

/** A `cluster_name`, which stands in the title of each process of a server: no other server's on this machine. */
export const makeServerName = (): string => `tracewright-${randomBytes(6).toString('hex')}`

/**
 * Ends what a killed postmaster has left on the cluster. Most of its processes end by themselves, but one in the middle of a long query
 * does not, and the memory that they share keeps a new server from starting. Gives up after 4 s: the start itself then says what is wrong.
 * Processes whose postmaster runs are left alone: the folder may be a copy of that of a server that is at work.
 */
export async function endOrphans(cluster: string): Promise<void> {
  // The command line of the last server, which PostgreSQL writes.
  const file = join(cluster, 'postmaster.opts')
  const name = existsSync(file) ? /"cluster_name=(tracewright-[0-9a-f]+)"/.exec(readFileSync(file, 'utf8'))?.[1] : null
  if (name === undefined || name === null) return
  const startedAtMs = performance.now()
  for (;;) {
    const orphans = listProcesses().filter((pid) => isOrphan(pid, name))
    const waitedMs = performance.now() - startedAtMs
    if (orphans.length === 0 || waitedMs > killDeadlineMs) return
    for (const pid of orphans) signal(pid, waitedMs > quitDeadlineMs ? 'SIGKILL' : 'SIGQUIT')
    await sleep(pollMs)
  }
}

function isOrphan(pid: number, name: string): boolean {
  if (readCommand(pid)?.startsWith(`postgres: ${name}: `) !== true) return false
  const parent = readParent(pid)
  return parent === null || readCommand(parent)?.includes(`cluster_name=${name}`) !== true
}

/** Null where the process has ended. */
function readParent(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}

const listProcesses = (): number[] =>
  existsSync('/proc/self/cmdline') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : []

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
