// One service to a data folder, also while its PostgreSQL is away and no lock in the database can tell.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Claim = { release(): void }

const fileName = 'service.pid'
const predecessorWaitMs = 3_000
const retryIntervalMs = 100

/**
 * Writes this process and the folder's own number into `service.pid` of the folder. Throws where another process that still runs stands
 * there and does not end within 3 s. One that was killed is replaced, and one that came with a copy of its folder too. Does nothing where the system has no /proc: a process number alone may be another program's by now.
 */
export async function claimFolder(folder: string): Promise<Claim> {
  const own = identify(process.pid)
  if (own === null) return { release: () => undefined }
  const file = join(folder, fileName)
  const place = readPlace(folder)
  const deadlineMs = performance.now() + predecessorWaitMs
  for (;;) {
    const holder = readHolder(file, place)
    if (holder === null || holder === own) break
    if (performance.now() >= deadlineMs)
      throw new Error(
        `another Tracewright process (${holder.split(' ')[0]}) already runs on ${folder}: stop it, or set TRACEWRIGHT_DATA_DIR to another folder`,
      )
    await sleep(retryIntervalMs)
  }
  writeFileSync(file, `${own}\n${place}\n`)
  return {
    release() {
      if (readHolder(file, place) === own) rmSync(file, { force: true })
    },
  }
}

/** Whether a process that still runs has claimed it. */
export const isFolderClaimed = (folder: string): boolean =>
  readHolder(join(folder, fileName), readPlace(folder)) !== null

/** Device and number of the folder: another name of it has the same, and a copy has others. */
function readPlace(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}:${ino}`
}

/** Who stands in the file, where that process still runs and has claimed this folder. */
function readHolder(file: string, place: string): string | null {
  if (!existsSync(file)) return null
  // A version before this one wrote no place.
  const [holder = '', heldPlace = place] = readFileSync(file, 'utf8').trim().split('\n')
  if (heldPlace !== place) return null
  return identify(Number(holder.split(' ')[0])) === holder ? holder : null
}

/** The process number, and when it started: together no other process has them. Null where there is none. */
function identify(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has ended, or the system has no /proc.
    return null
  }
  // Behind the name of its program, which may hold blanks: the state first, and in the twentieth place the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : `${pid} ${fields[19]}`
}
