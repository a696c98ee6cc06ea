// Where the server that the tests share keeps its data.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { makeCacheFolder } from './data-dir.ts'

const memory = '/dev/shm'
const leastBytes = 4 * 1024 ** 3

/**
 * In memory where this machine has enough of it: a run makes a thousand databases of some hundred files, and the system spends a tenth of
 * the run on a disk for them. Otherwise below the folder of caches.
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
    // Not for this user.
    return false
  }
}
