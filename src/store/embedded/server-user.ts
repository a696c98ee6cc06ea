// Chooses the user that PostgreSQL runs as, since PostgreSQL refuses to run as root.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type ServerUser = {
  /** Null: the user of the service. */
  readonly ids: { readonly uid: number; readonly gid: number } | null
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
 * As root, returns the first of postgres and nobody that can reach every given path, with the least privilege that suffices; otherwise the
 * current user. If no user can, throws an error that says what to do.
 */
export function chooseServerUser(paths: readonly string[]): ServerUser {
  if (process.getuid?.() !== 0) return { ids: null, capability: null }
  const users = readUsers()
  for (const capability of capabilities) {
    for (const name of names) {
      const ids = users.get(name)
      if (ids !== undefined && canReach({ ids, capability }, paths)) return { ids, capability }
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the users ${names.join(' and ')} cannot reach ${paths.join(' and ')}, not even by ` +
      'setpriv of util-linux with the capability dac_read_search or dac_override: start the service as an ordinary user, move it to a ' +
      'folder that other users can enter, or set TRACEWRIGHT_DATABASE_URL to a PostgreSQL of your own',
  )
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
