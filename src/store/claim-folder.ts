// Limits a data directory to one service, also while its PostgreSQL does not run and no database lock can enforce it.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Claim = {
  /** Removes the claim, unless another process has replaced it. */
  release(): void
  /** As `release`, but restores the claim that this one has replaced, which may be that of a process in another container. */
  undo(): void
}

const fileName = 'service.pid'
const predecessorWaitMs = 3_000
const retryIntervalMs = 100

/**
 * Writes this process and the folder's identity into `service.pid` of the folder. Throws if the file names another process that still runs
 * and does not end within `waitMs`, 3 s by default. The claim of a process that was killed is replaced, and so is one that was copied
 * together with its folder. Does nothing if the system has no /proc: a process id alone may have been reused by another program.
 */
export async function claimFolder(folder: string, waitMs = predecessorWaitMs): Promise<Claim> {
  const own = identify(process.pid)
  if (own === null) return { release: () => undefined, undo: () => undefined }
  const file = join(folder, fileName)
  const place = readFolderIdentity(folder)
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    const holder = readHolder(file, place)
    if (holder === null || holder === own) break
    if (performance.now() >= deadlineMs)
      throw new Error(
        `another Tracewright process (${holder.split(' ')[0]}) already runs on ${folder}: stop it, or set TRACEWRIGHT_DATA_DIR to another directory`,
      )
    await sleep(retryIntervalMs)
  }
  const replaced = existsSync(file) ? readFileSync(file, 'utf8') : null
  writeFileSync(file, `${own}\n${place}\n`)
  const leave = (text: string | null): void => {
    if (readHolder(file, place) !== own) return
    if (text === null) rmSync(file, { force: true })
    else writeFileSync(file, text)
  }
  return { release: () => leave(null), undo: () => leave(replaced) }
}

/** Returns whether a running process has claimed the folder. */
export const isFolderClaimed = (folder: string): boolean =>
  readHolder(join(folder, fileName), readFolderIdentity(folder)) !== null

/** Device and inode of the folder. They are the same under every name of the folder, and a copy has others. */
function readFolderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
}

/** Returns the process that the file names, if it still runs and has claimed this folder; otherwise null. */
function readHolder(file: string, place: string): string | null {
  if (!existsSync(file)) return null
  // Earlier releases did not write the folder's identity.
  const [holder = '', heldPlace = place] = readFileSync(file, 'utf8').trim().split('\n')
  if (heldPlace !== place) return null
  return identify(Number(holder.split(' ')[0])) === holder ? holder : null
}

/** The process id and the start time, which together identify a process. Null if there is no such process. */
function identify(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process has ended, or the system has no /proc.
    return null
  }
  // The fields after the program name, which may contain blanks: the first is the state, the twentieth the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : `${pid} ${fields[19]}`
}
