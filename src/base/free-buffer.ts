// Gives the memory of a large buffer back at once.

/**
 * Empties the bytes and everything else that views their buffer; call it only where nobody reads or writes them any more, the system
 * included. A buffer that is left to the garbage collector stays for many requests, counts towards the next full collection all that
 * time, and the next request gets memory that no cache knows. A part of a buffer that Node may share among others is left alone.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  const isShared = byteLength < buffer.byteLength && buffer.byteLength <= Buffer.poolSize
  if (buffer instanceof ArrayBuffer && !isShared && !buffer.detached) buffer.transfer(0)
}
