// Finds the folder for the data of the server that the tests share.
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { sendSignal } from '../../src/base/send-signal.ts'
import { isAlive } from '../../src/store/embedded/postmaster.ts'
import { makeCacheFolder } from './data-dir.ts'
import { findProcesses } from './find-processes.ts'

const memory = '/dev/shm'
const leastBytes = 4 * 1024 ** 3

/**
 * Returns a folder in memory where the machine has enough of it: a run creates a thousand databases of some hundred files, and on a disk
 * they take a tenth of the run. Otherwise returns the cache folder.
 */
export function findScratchFolder(): string {
  return hasRoomInMemory() ? memory : makeCacheFolder()
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memory) || process.availableMemory() < 2 * leastBytes) return false
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= leastBytes
  } catch {
    // This user may not write there.
    return false
  }
}

/** Makes the folder for the server of this run. Ends the servers of earlier runs that were killed, and removes their folders. */
export function makeRunFolder(): string {
  const parent = findScratchFolder()
  const mine = `tracewright-test-${readNamespace()}-`
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(mine) ? Number.parseInt(name.slice(mine.length), 10) : Number.NaN
    if (Number.isInteger(pid) && !isAlive(pid)) removeRun(join(parent, name))
  }
  return mkdtempSync(join(parent, `${mine}${process.pid}-`))
}

/** In another container that shares the folder, the ids of processes mean others. */
function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
  } catch {
    return ''
  }
}

function removeRun(path: string): void {
  try {
    for (const pid of existsSync('/proc') ? findProcesses(`${path}/`) : []) sendSignal(pid, 'SIGKILL')
    // A killed server's processes write for a moment longer.
    rmSync(path, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    process.stderr.write(`${path}, which a killed run left, could not be removed: ${(error as Error).message}\n`)
  }
}
