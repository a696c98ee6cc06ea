// Finds the folder for the data of the server that the tests share.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { makeCacheFolder } from './data-dir.ts'

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
