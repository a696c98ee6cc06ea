// The lock that a running PostgreSQL holds on its cluster. Process ids and shared memory, by which PostgreSQL itself finds another server on
// its data, do not show one of another container that uses the same volume. A lock of the kernel does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runAs, type ServerUser } from './server-user.ts'

/** `unknown`: this system has no `flock` of util-linux 2.34 or later, or the file system has no locks. */
export type LockState = 'free' | 'held' | 'unknown'

/** The exit code of `flock` if the lock is held. PostgreSQL does not end with it. */
export const heldCode = 75

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
 * Starts a process, which takes some 5 ms. Throws the reason of the aborted signal.
 */
export async function readLock(folder: string, user: ServerUser, signal?: AbortSignal, waitS = 3): Promise<LockState> {
  const { command, args, ids } = runAs(user, 'flock', lock(folder, waitS, ['true']))
  try {
    const child = spawn(command, args, { stdio: 'ignore', ...ids, ...(signal && { signal }) })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) return 'free'
    return code === heldCode ? 'held' : 'unknown'
  } catch {
    signal?.throwIfAborted()
    // There is no such program.
    return 'unknown'
  }
}

/** Returns the command that becomes `command` with the lock in the same process, or ends with `heldCode` if another process holds the lock. */
export const withLock = (folder: string, command: readonly string[]): string[] => ['flock', ...lock(folder, 0, command)]

export const explainHeldLock = (folder: string): string =>
  `another PostgreSQL uses the data in ${folder}, perhaps in another container: stop it, or set TRACEWRIGHT_DATA_DIR to another directory`
