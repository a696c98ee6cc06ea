// The bytes and headers of a document: plain and compressed, each with its own strong ETag.
import { createHash } from 'node:crypto'
import { acceptsCoding } from './preferences.ts'

/** One selectable representation (RFC 9110 section 3.2). `fullHeaders` are sent with a 200, `validators` with a 304. */
export type Representation = {
  readonly etag: string
  readonly body: Buffer
  readonly fullHeaders: Readonly<Record<string, string>>
  readonly validators: Readonly<Record<string, string>>
}

export type Representations = {
  readonly plain: Representation
  /** Null if compression gains nothing. */
  readonly gzip: Representation | null
  /** Null if there is none, or if it gains nothing. */
  readonly brotli: Representation | null
}

/** The body in each available coding. */
export type Bodies = {
  readonly plain: Buffer
  readonly gzip?: Buffer | undefined
  readonly brotli?: Buffer | undefined
}

/** For the OpenAPI document: the header of a 200 and of a 304. */
export const etagHeader = {
  ETag: { description: 'Names these bytes, for If-None-Match', schema: { type: 'string' } },
} as const

type Labels = {
  /** Prefix of the digest in the tags. */
  readonly version: string
  readonly cacheControl: string
  /** Default: JSON. */
  readonly contentType?: string
}

/**
 * Returns the representations of one text. The tags are derived from the bytes: two processes may serialise the same version differently.
 */
export function represent(
  bodies: Bodies,
  { version, cacheControl, contentType = 'application/json; charset=utf-8' }: Labels,
): Representations {
  const digest = createHash('sha256').update(bodies.plain).digest('base64url').slice(0, 22)
  const make = (etag: string, bytes: Buffer, encoding: string | null): Representation => {
    const validators = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' }
    return {
      etag,
      body: bytes,
      validators,
      fullHeaders: {
        'Content-Type': contentType,
        ...validators,
        ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
        'Content-Length': String(bytes.length),
      },
    }
  }
  const compress = (bytes: Buffer | undefined, encoding: string, mark: string): Representation | null =>
    bytes !== undefined && bytes.length < bodies.plain.length
      ? make(`"${version}-${digest}-${mark}"`, bytes, encoding)
      : null
  return {
    plain: make(`"${version}-${digest}"`, bodies.plain, null),
    gzip: compress(bodies.gzip, 'gzip', 'gz'),
    brotli: compress(bodies.brotli, 'br', 'br'),
  }
}

/** Returns the representation that Accept-Encoding selects: the smallest one whose coding it names and does not refuse. */
export function select(forms: Representations, acceptEncoding: string | undefined): Representation {
  if (forms.brotli !== null && acceptsCoding(['br'], acceptEncoding)) return forms.brotli
  return forms.gzip !== null && acceptsGzip(acceptEncoding) ? forms.gzip : forms.plain
}

/** Whether Accept-Encoding names gzip and does not refuse it. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  acceptsCoding(['gzip', 'x-gzip'], acceptEncoding)

/**
 * Whether If-None-Match names this representation, by weak comparison (RFC 9110 section 13.1.2). Our tags contain no quote, so it need not
 * parse.
 */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: Representation): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
