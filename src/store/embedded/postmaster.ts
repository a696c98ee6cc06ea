// PostgreSQL's main process: finds it by its lock file, detects its end and stops it; ends the processes that it leaves behind when it is
// killed.
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../../base/send-signal.ts'

export type Postmaster = {
  readonly pid: number
  isRunning(): boolean
  /** Resolves when the process has ended, for whatever reason. Does not keep the event loop alive. */
  readonly ended: Promise<void>
}

export type FoundPostmaster = { readonly postmaster: Postmaster; readonly port: number }

const watchIntervalMs = 250
const pollMs = 50

/** Returns the server that runs on the cluster according to its postmaster.pid (line 1: process id, line 4: port); otherwise null. */
export function findRunning(cluster: string): FoundPostmaster | null {
  const lines = readLockFile(cluster)
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  const folder = identify(cluster)
  const isRunning = (): boolean => isAlive(pid) && isServerOf(pid, cluster, folder)
  if (!isRunning()) return null
  return { postmaster: { pid, isRunning, ended: watch(isRunning) }, port }
}

/**
 * The system may have reused the process id for another program, and a zombie process stays listed with an empty command line. The folder of
 * a PostgreSQL is compared by its identity, since links, mounts and a renamed parent give it other names: first its working directory,
 * which another user may not read, then the argument after `-D`. True if the system has no /proc.
 */
function isServerOf(pid: number, cluster: string, folder: string | null): boolean {
  const command = readCommand(pid)
  if (command === null) return true
  const [program = '', ...args] = command.split('\0')
  const option = args.indexOf('-D')
  if (folder !== null && basename(program) === 'postgres')
    for (const path of [`/proc/${pid}/cwd`, option < 0 ? undefined : args[option + 1]]) {
      const found = path === undefined ? null : identify(path)
      if (found !== null) return found === folder
    }
  return command.includes(cluster)
}

/** Whether a process with this id runs that is no PostgreSQL. False if the system has no /proc. */
export function isOtherProgram(pid: number): boolean {
  const command = readCommand(pid)
  return command !== null && isAlive(pid) && basename(command.split('\0')[0] ?? '') !== 'postgres'
}

/** Device and inode; null if nothing is there or it may not be read. */
function identify(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/**
 * Returns whether the process has written into postmaster.pid of the cluster (line 8: status) that it accepts connections. An answer on its
 * port does not prove this: another server may have taken the port.
 */
export function isReady(cluster: string, pid: number): boolean {
  const lines = readLockFile(cluster)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** Empty if no server runs on the cluster. */
function readLockFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Follows a child of this process. Throws if it could not be started. */
export function followChild(child: ChildProcess): Postmaster {
  const ended = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const { pid } = child
  if (pid === undefined) throw new Error(`PostgreSQL could not be started from ${child.spawnfile}`)
  return { pid, isRunning: () => child.exitCode === null && child.signalCode === null, ended }
}

/** Polls, since the system does not report the end of a process that is not a child. */
function watch(isRunning: () => boolean): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (isRunning()) return
      clearInterval(timer)
      done()
    }, watchIntervalMs).unref()
  })
}

/** Whether a process with this id runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line, with a NUL after each argument. Null if the system has no /proc, empty if the process has ended. */
function readCommand(pid: number): string | null {
  if (!existsSync('/proc/self/cmdline')) return null
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process has ended since.
    return ''
  }
}

const forceAfterDefaultMs = 10_000
const killAfterMs = 2_000

/**
 * Requests a fast shutdown, which ends with a checkpoint; an immediate one after `forceAfterMs`; and sends SIGKILL 2 s later. A suspended
 * process is continued, since it would not receive the first two signals.
 */
export async function stopPostmaster(
  { pid, isRunning }: Postmaster,
  forceAfterMs: number = forceAfterDefaultMs,
): Promise<void> {
  if (!isRunning()) return
  sendSignal(pid, 'SIGINT')
  sendSignal(pid, 'SIGCONT')
  const startedAtMs = performance.now()
  while (isRunning()) {
    const waitedMs = performance.now() - startedAtMs
    if (waitedMs >= forceAfterMs + killAfterMs) sendSignal(pid, 'SIGKILL')
    else if (waitedMs >= forceAfterMs) sendSignal(pid, 'SIGQUIT')
    await sleep(pollMs)
  }
}

/** Whether the postmaster has a startup process, which exists while the server starts or recovers. Null if the system has no /proc. */
export function hasStartupProcess(postmaster: number): boolean | null {
  if (!existsSync('/proc/self/cmdline')) return null
  return listProcesses().some(
    (pid) => /^postgres: (?:[^ ]+: )?startup\b/.test(readCommand(pid) ?? '') && readParent(pid) === postmaster,
  )
}

const quitDeadlineMs = 2_000
const killDeadlineMs = 4_000

/** Returns a `cluster_name` that no other server on this machine has. It appears in the title of each process of the server. */
export const makeServerName = (): string => `tracewright-${randomBytes(6).toString('hex')}`

/**
 * Ends the processes that a killed postmaster has left on the cluster. Most of them end by themselves, but one in the middle of a long
 * query does not, and their shared memory keeps a new server from starting. Gives up after 4 s: the start then reports the problem.
 * Processes whose postmaster runs are left alone, since the folder may be a copy of the folder of a working server.
 */
export async function endOrphans(cluster: string): Promise<void> {
  // PostgreSQL writes the command line of the last server into this file.
  const file = join(cluster, 'postmaster.opts')
  const name = existsSync(file) ? /"cluster_name=(tracewright-[0-9a-f]+)"/.exec(readFileSync(file, 'utf8'))?.[1] : null
  if (name === undefined || name === null) return
  const startedAtMs = performance.now()
  for (;;) {
    const orphans = listProcesses().filter((pid) => isOrphan(pid, name))
    const waitedMs = performance.now() - startedAtMs
    if (orphans.length === 0 || waitedMs > killDeadlineMs) return
    for (const pid of orphans) sendSignal(pid, waitedMs > quitDeadlineMs ? 'SIGKILL' : 'SIGQUIT')
    await sleep(pollMs)
  }
}

function isOrphan(pid: number, name: string): boolean {
  if (readCommand(pid)?.startsWith(`postgres: ${name}: `) !== true) return false
  const parent = readParent(pid)
  return parent === null || readCommand(parent)?.includes(`cluster_name=${name}`) !== true
}

/** The id of the parent process; null if the process has ended. */
function readParent(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}

const listProcesses = (): number[] =>
  existsSync('/proc/self/cmdline') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : []
