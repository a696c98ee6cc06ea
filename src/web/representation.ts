// Floor 2. A document as the bytes and headers that go out: plain and gzip, each with a strong ETag of its own.
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
}

/**
 * The forms of JSON text whose gzip is `compressed`. The tags name the bytes, for two processes may serialise one version differently;
 * `version` goes before them.
 */
export function represent(
  body: Buffer,
  compressed: Buffer,
  { version, cacheControl }: { readonly version: string; readonly cacheControl: string },
): Representations {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const make = (etag: string, bytes: Buffer, encoding: string | null): Representation => {
    const validators = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' }
    return {
      etag,
      body: bytes,
      validators,
      fullHeaders: {
        'Content-Type': 'application/json; charset=utf-8',
        ...validators,
        ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
        'Content-Length': String(bytes.length),
      },
    }
  }
  return {
    plain: make(`"${version}-${digest}"`, body, null),
    gzip: compressed.length < body.length ? make(`"${version}-${digest}-gz"`, compressed, 'gzip') : null,
  }
}

/** The form that the caller's Accept-Encoding selects: gzip where it is named and not refused. */
export function select(forms: Representations, acceptEncoding: string | undefined): Representation {
  return forms.gzip !== null && acceptsGzip(acceptEncoding) ? forms.gzip : forms.plain
}

/** True where Accept-Encoding names gzip and does not refuse it. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const gzip = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding ?? '')
  return gzip !== null && Number(gzip[1] ?? 1) !== 0
}

/** True where If-None-Match names this form, by weak comparison (RFC 9110 section 13.1.2). No parsing: our tags hold no quote inside. */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: Representation): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
