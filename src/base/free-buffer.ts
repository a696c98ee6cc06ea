// Floor 0. Gives the memory of a large buffer back at once.

/**
 * Empties the bytes and everything else that views their buffer; call it only where nobody reads or writes them any more, the system
 * included. A buffer that is left to the garbage collector stays for many requests, counts towards the next full collection all that
 * time, and the next request gets memory that no cache knows. Small buffers, which Node may share among others, are left alone.
 */
export function freeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
