// A lock file that a killed PostgreSQL has left behind, and that keeps the next one from starting.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isOtherProgram } from './postmaster.ts'

const emptyForMs = 10_000

/**
 * PostgreSQL refuses to start while the process named in postmaster.pid runs, though the system may have reused its id, as a restarted
 * container does. If that process is another program, its id is replaced by the id of this process, which PostgreSQL ignores as its
 * parent: it still checks the shared memory that the file names. Removes an empty file, unless another server may just be writing it.
 */
export function disarmStaleLock(cluster: string): void {
  // Without /proc, another program cannot be told from a server.
  if (!existsSync('/proc/self/cmdline')) return
  const file = join(cluster, 'postmaster.pid')
  let opened: number
  try {
    // The user of the server owns the folder, and root must not write through a link of that user.
    opened = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  } catch {
    // There is none, or this user may not write it: the start reports what is wrong with it.
    return
  }
  try {
    // A server that starts meanwhile creates a new file: what is written into the open one cannot damage its lock.
    if (!fstatSync(opened).isFile()) return
    const text = readFileSync(opened, 'utf8')
    if (text === '') {
      if (Date.now() - fstatSync(opened).mtimeMs > emptyForMs) rmSync(file, { force: true })
      return
    }
    const [first = '', ...rest] = text.split('\n')
    // PostgreSQL itself ignores the id of a process that has ended. Any PostgreSQL may be the server of this cluster.
    if (!/^[1-9]\d*$/.test(first) || !isOtherProgram(Number(first))) return
    const bytes = Buffer.from([process.pid, ...rest].join('\n'))
    writeSync(opened, bytes, 0, bytes.length, 0)
    ftruncateSync(opened, bytes.length)
  } finally {
    closeSync(opened)
  }
}
