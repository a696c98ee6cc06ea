// Maps a workspace to its partition. The mapping is fixed for the life of a database.
import { hash } from 'node:crypto'

/** The cluster stores this number in the database. A process with another number must not start. */
export const partitionCount = 128

/** Returns 0 to 127. Uses a hash, since most bits of a UUIDv7 are time. About 1 µs. */
export const partitionOf = (workspaceId: string): number =>
  hash('sha256', workspaceId.toLowerCase(), 'buffer').readUInt32BE(0) % partitionCount
