// Which partition a workspace belongs to: fixed for the life of a database.
import { hash } from 'node:crypto'

/** Written into the database by the cluster; a process that counts otherwise must not start. */
export const partitionCount = 128

/** 0 to 127. Hashed, since the bits of a UUIDv7 are mostly time. About 1 µs. */
export const partitionOf = (workspaceId: string): number =>
  hash('sha256', workspaceId.toLowerCase(), 'buffer').readUInt32BE(0) % partitionCount
