// A document as the bytes and headers that go out: plain and compressed, each with a strong ETag of its own.
import { createHash } from 'node:crypto'

/** One selectable form (RFC 9110 section 3.2). `fullHeaders` go with a 200, `validators` with a 304. */
export type Representation = {
  readonly etag: string
  readonly body: Buffer
  readonly fullHeaders: Readonly<Record<string, string>>
  readonly validators: Readonly<Record<string, string>>
}

export type Representations = {
  readonly plain: Representation
  /** Null where compressing gains nothing. */
  readonly gzip: Representation | null
  /** Null where there is none, or it gains nothing. */
  readonly brotli: Representation | null
}

/** The body in each coding that somebody has made of it. */
export type Bodies = {
  readonly plain: Buffer
  readonly gzip?: Buffer | undefined
  readonly brotli?: Buffer | undefined
}

/** For the document: the header of a 200 and of a 304. */
export const etagHeader = {
  ETag: { description: 'Names these bytes, for If-None-Match', schema: { type: 'string' } },
} as const

type Labels = {
  /** Goes before the digest in the tags. */
  readonly version: string
  readonly cacheControl: string
  /** JSON where not given. */
  readonly contentType?: string
}

/** The forms of one text. The tags name the bytes, for two processes may serialise one version differently. */
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

/** The form that the caller's Accept-Encoding selects: the smallest whose coding it names and does not refuse. */
export function select(forms: Representations, acceptEncoding: string | undefined): Representation {
  if (forms.brotli !== null && names(brotli, acceptEncoding)) return forms.brotli
  return forms.gzip !== null && acceptsGzip(acceptEncoding) ? forms.gzip : forms.plain
}

const gzip = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i
const brotli = /(?:^|[\s,])br\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i

/** True where Accept-Encoding names gzip and does not refuse it. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => names(gzip, acceptEncoding)

function names(coding: RegExp, acceptEncoding: string | undefined): boolean {
  const named = coding.exec(acceptEncoding ?? '')
  return named !== null && Number(named[1] ?? 1) !== 0
}

/** True where If-None-Match names this form, by weak comparison (RFC 9110 section 13.1.2). No parsing: our tags hold no quote inside. */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: Representation): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
