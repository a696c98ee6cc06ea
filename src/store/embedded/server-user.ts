// Chooses the user that PostgreSQL runs as, since PostgreSQL refuses to run as root.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ids, readOwner } from './cluster-folder.ts'

export type ServerUser = {
  /** Null: the user of the service. */
  readonly ids: Ids | null
  /** The one capability that the user needs to pass folders that are closed to it; null if it needs none. */
  readonly capability: string | null
}

const names = ['postgres', 'nobody']

/**
 * From the least privilege to the most. `dac_read_search` allows passing closed folders and reading files in them. `dac_override` also
 * allows writing; root has it in a container of Docker or Podman, where the first one is missing.
 */
const capabilities = [null, 'dac_read_search', 'dac_override']

/**
 * As root, returns the owner of an existing cluster, since PostgreSQL runs on no folder of another user; without a cluster, or if it belongs
 * to root, the first of postgres and nobody that can reach every given path. Either with the least privilege that suffices. Returns the
 * current user if that is not root. If no user can, throws an error that says what to do.
 */
export function chooseServerUser(paths: readonly string[], owner: Ids | null = null): ServerUser {
  if (process.getuid?.() !== 0) return { ids: null, capability: null }
  const users = readUsers()
  const isOwned = owner !== null && owner.uid !== 0
  const candidates = isOwned ? [owner] : names.flatMap((name) => users.get(name) ?? [])
  for (const capability of capabilities) {
    for (const ids of candidates) if (canReach({ ids, capability }, paths)) return { ids, capability }
  }
  const who = isOwned ? `user ${owner.uid}, who owns its data,` : `users ${names.join(' and ')}`
  throw new Error(
    `PostgreSQL refuses to run as root, and the ${who} cannot reach ${paths.join(' and ')}, not even by ` +
      'setpriv of util-linux with the capability dac_read_search or dac_override: start the service as an ordinary user, move it to a ' +
      'folder that other users can enter, or set TRACEWRIGHT_DATABASE_URL to a PostgreSQL of your own',
  )
}

/**
 * Gives a cluster of root, such as one that root has copied, to the user of the server, who could not open it. Follows no links. Throws an
 * error that says what to do if this process may not change owners.
 */
export function giveCluster(cluster: string, { ids }: ServerUser): void {
  if (ids === null || readOwner(cluster)?.uid !== 0) return
  const give = (path: string): void => {
    // The folder last: an interrupted change is then repeated.
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
    lchownSync(path, ids.uid, ids.gid)
  }
  try {
    give(cluster)
  } catch (cause) {
    const command = `chown -R ${ids.uid}:${ids.gid} ${cluster}`
    throw new Error(`the data of PostgreSQL in ${cluster} belongs to root, as whom it refuses to run: run ${command}`, {
      cause,
    })
  }
}

export type Spawnable = {
  readonly command: string
  readonly args: readonly string[]
  readonly ids: { readonly uid?: number; readonly gid?: number }
}

/** Returns how to spawn the command as that user, in the same process. */
export function runAs({ ids, capability }: ServerUser, command: string, args: readonly string[]): Spawnable {
  if (ids === null || capability === null) return { command, args, ids: ids ?? {} }
  const flags = [
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    // Without this flag, access(2), which PostgreSQL uses to find its own programs, ignores the capability.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ]
  return { command: 'setpriv', args: [...flags, command, ...args], ids: {} }
}

/** The environment of the server and of the programs that are run for it. */
export const makeServerEnv = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' })

/** Starts the program as that user. Detached, so that Ctrl-C reaches only the service, which then stops the server in order. */
export function spawnAs(user: ServerUser, program: string, programArgs: string[]): ChildProcess {
  const { command, args, ids } = runAs(user, program, programArgs)
  return spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: makeServerEnv(),
    ...ids,
  })
}

function readUsers(): Map<string, { uid: number; gid: number }> {
  const users = new Map<string, { uid: number; gid: number }>()
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name !== undefined && uid !== undefined && gid !== undefined)
      users.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  return users
}

function canReach(user: ServerUser, paths: readonly string[]): boolean {
  const script = 'for path; do test -r "$path" && test -x "$path" || exit 1; done'
  const { command, args, ids } = runAs(user, '/bin/sh', ['-c', script, 'sh', ...paths])
  return spawnSync(command, args, ids).status === 0
}
