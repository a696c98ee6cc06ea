// Frees the memory of a large buffer at once.

/**
 * Detaches the buffer: these bytes and all other views of it become empty. Call it only when no code and no system call still reads or
 * writes them. A buffer that is left to the garbage collector stays allocated for many requests, counts towards the next full
 * collection in the meantime, and makes the next request use memory that is in no CPU cache. A slice of Node's shared buffer pool is
 * left alone.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  const isShared = byteLength < buffer.byteLength && buffer.byteLength <= Buffer.poolSize
  if (buffer instanceof ArrayBuffer && !isShared && !buffer.detached) buffer.transfer(0)
}
