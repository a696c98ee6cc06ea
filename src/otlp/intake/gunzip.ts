// Gunzip with a limit on the output.
import { gunzipSync } from 'node:zlib'

export type Gunzipped =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly code: 'undecodable' | 'too_large' }

const trailerBytes = 4
const maxDeflateRatio = 1_032
const minChunkBytes = 16_384
const maxChunkBytes = 1_048_576

/**
 * Returns the content of all gzip members of `body`: `too_large` above `maxBytes`, `undecodable` if the body is empty, cut short, corrupt,
 * not gzip, or followed by other than zero bytes. Synchronous, about 1 ms a megabyte: call it on a decode thread.
 */
export function gunzip(body: Uint8Array, maxBytes: number): Gunzipped {
  if (body.byteLength < trailerBytes) return { ok: false, code: 'undecodable' }
  // The trailer states the length of the last member. A bomb that states its true length is refused without inflating it; a false length
  // leads to a stop at the limit. A length that deflate cannot encode in so few bytes is garbage, which gunzip will detect.
  const claimed = new DataView(body.buffer, body.byteOffset + body.byteLength - trailerBytes, trailerBytes).getUint32(
    0,
    true,
  )
  if (claimed > maxBytes && claimed <= body.byteLength * maxDeflateRatio && startsAsGzip(body))
    return { ok: false, code: 'too_large' }
  try {
    const chunkSize = Math.min(Math.max(claimed + 1, minChunkBytes), maxChunkBytes)
    return { ok: true, value: gunzipSync(body, { maxOutputLength: maxBytes, chunkSize }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ERR_BUFFER_TOO_LARGE') return { ok: false, code: 'too_large' }
    if (typeof code === 'string' && code.startsWith('Z_')) return { ok: false, code: 'undecodable' }
    throw error
  }
}

const startsAsGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b
