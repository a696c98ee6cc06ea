// The lock that a running PostgreSQL holds on its cluster. Process ids and shared memory, by which PostgreSQL itself finds another server on
// its data, do not show one of another container that uses the same volume. A lock of the kernel does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { makeServerEnv, runAs, type ServerUser } from './server-user.ts'

/** `unknown`: there is no `flock` of util-linux 2.34 or later, or the file system has no locks. */
export type LockState = 'free' | 'held' | 'unknown'

/** The exit code of `flock` if the lock is held. PostgreSQL does not end with it. */
export const heldCode = 75

/**
 * The exit codes of a program that cannot lock: BusyBox (1) and an older util-linux (64) lack the options, the file system has no locks (65),
 * and `setpriv` finds no `flock` (127).
 */
const cannotCodes: ReadonlySet<number | null> = new Set([1, 64, 65, 127])
/** How `flock` ends if the file system or its server has no locks. It ends with the same code where memory or file handles ran out. */
const [systemFaultCode, noLocks] = [71, 'No locks available']
/** Errors of `spawn` where no folder of the PATH has a `flock` that can be executed. */
const noProgram: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'ENOTDIR'])

/** Every process of a server inherits the lock, so that it lasts until the last of them has ended. */
const lock = (folder: string, waitS: number, command: readonly string[]): string[] => [
  '--no-fork',
  `--wait=${waitS}`,
  `--conflict-exit-code=${heldCode}`,
  // The server writes this file once and never replaces it. Its user may open it for writing, as a lock on NFS needs.
  join(folder, 'PG_VERSION'),
  ...command,
]

/**
 * Looks whether a server holds the lock of the cluster. Waits up to `waitS` seconds, 3 by default, for the processes of one that is ending.
 * Starts a process, which takes some 5 ms. Throws the reason of the aborted signal, and an error if the process could not look: a server
 * that starts without the lock beside another one destroys the data.
 */
export async function readLock(folder: string, user: ServerUser, signal?: AbortSignal, waitS = 3): Promise<LockState> {
  const { command, args, ids } = runAs(user, 'flock', lock(folder, waitS, ['true']))
  let code: number | null
  let end: NodeJS.Signals | null
  let text = ''
  try {
    // Detached, so that Ctrl-C reaches only the service.
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: makeServerEnv(),
      ...ids,
      ...(signal && { signal }),
    })
    child.stderr?.on('data', (data: Buffer) => (text += data.toString()))
    ;[code, end] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  } catch (error) {
    signal?.throwIfAborted()
    if (noProgram.has((error as NodeJS.ErrnoException).code)) return 'unknown'
    throw error
  }
  if (code === 0) return 'free'
  if (code === heldCode) return 'held'
  if (cannotCodes.has(code) || (code === systemFaultCode && text.includes(noLocks))) return 'unknown'
  const reason = [`flock ended with ${code ?? end}`, text.trim()].filter(Boolean).join(': ')
  throw new Error(`it cannot be determined whether another PostgreSQL uses the data in ${folder}: ${reason}`)
}

/**
 * Returns the command that becomes `command` with the lock in the same process, or ends with `heldCode` if another process holds the lock.
 * It waits for a second, since `readLock` of another process holds the lock for a moment.
 */
export const withLock = (folder: string, command: readonly string[]): string[] => ['flock', ...lock(folder, 1, command)]

export const explainHeldLock = (folder: string): string =>
  `another PostgreSQL uses the data in ${folder}, perhaps in another container: stop it, or set TRACEWRIGHT_DATA_DIR to another directory`

export const explainNoLock = (folder: string): string =>
  `no lock keeps another PostgreSQL from the data in ${folder}: flock of util-linux 2.34 or later is missing, or the file system has no locks`
