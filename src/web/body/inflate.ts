// Decompresses the body of a JSON request. koa-body would do so through a pipe: after its refusal of a body that is too large, the pipe goes
// on, and an error in the rest of the body ends the process.
import { promisify } from 'node:util'
import { brotliDecompress, unzip } from 'node:zlib'

const decoders = { gzip: promisify(unzip), deflate: promisify(unzip), br: promisify(brotliDecompress) }

export type Inflated =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly fault: 'too large' | 'unknown coding' | 'damaged' }

/** `coding`: the value of Content-Encoding, in any case (RFC 9110 section 8.4.1). Never throws. */
export async function inflate(bytes: Buffer, coding: string, maxBytes: number): Promise<Inflated> {
  const name = coding.toLowerCase()
  if (name === 'identity') return { ok: true, bytes }
  if (!isKnown(name)) return { ok: false, fault: 'unknown coding' }
  try {
    return { ok: true, bytes: await decoders[name](bytes, { maxOutputLength: maxBytes }) }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return { ok: false, fault: isTooLarge ? 'too large' : 'damaged' }
  }
}

const isKnown = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name)
