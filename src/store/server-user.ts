// Floor 2. Which user PostgreSQL runs as: itself refuses to be root.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Nulls: the user that the service itself runs as. */
export type ServerUser = { readonly uid: number | null; readonly gid: number | null }

const candidates = ['postgres', 'nobody']

/**
 * As root, the first of postgres and nobody that can reach every given path; else the current user.
 * Throws a sentence that says what to do where none can.
 */
export function chooseServerUser(paths: readonly string[]): ServerUser {
  if (process.getuid?.() !== 0) return { uid: null, gid: null }
  const users = readUsers()
  for (const name of candidates) {
    const user = users.get(name)
    if (user !== undefined && paths.every((path) => canReach(user, path))) return user
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the users ${candidates.join(' and ')} cannot access ${paths.join(' and ')}: ` +
      'move the folder out of a private home directory, or start the service as a user other than root',
  )
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

function canReach(user: { uid: number; gid: number }, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { uid: user.uid, gid: user.gid })
      .status === 0
  )
}
