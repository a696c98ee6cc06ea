// Floor 3. One version of the rules as the bytes and headers that go out: plain and gzip, each with a strong ETag of its own.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** One selectable form (RFC 9110 section 3.2). `fullHeaders` go with a 200, `validators` with a 304. */
export type Representation = {
  readonly etag: string
  readonly body: Buffer
  readonly fullHeaders: Readonly<Record<string, string>>
  readonly validators: Readonly<Record<string, string>>
}

export type ServedRules = {
  readonly version: string
  readonly plain: Representation
  /** Null where compressing gains nothing. */
  readonly gzip: Representation | null
  /** Memory that it takes, about. */
  readonly bytes: number
}

const compress = promisify(gzip)
const overheadBytes = 2_048

/** Serialises and compresses once, off the main thread; every later answer copies these bytes. */
export async function makeServedRules(rules: {
  readonly version: string
  readonly text: string
}): Promise<ServedRules> {
  const body = Buffer.from(rules.text)
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const compressed = await compress(body)
  // A strong validator names the bytes, not the version alone: fronts and releases may serialise one version differently.
  const plain = represent(`"${rules.version}-${digest}"`, body, null)
  const small =
    compressed.length < body.length ? represent(`"${rules.version}-${digest}-gz"`, compressed, 'gzip') : null
  // Read, for tool results, the rules take about as much again.
  const bytes = overheadBytes + 2 * body.length + (small?.body.length ?? 0)
  return { version: rules.version, plain, gzip: small, bytes }
}

function represent(etag: string, body: Buffer, encoding: string | null): Representation {
  const validators = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' }
  return {
    etag,
    body,
    validators,
    fullHeaders: {
      'Content-Type': 'application/json; charset=utf-8',
      ...validators,
      ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
      'Content-Length': String(body.length),
    },
  }
}

/** The form that the caller's Accept-Encoding selects: gzip where it is named and not refused. */
export function select(rules: ServedRules, acceptEncoding: string | undefined): Representation {
  if (rules.gzip === null || acceptEncoding === undefined) return rules.plain
  const gzip = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding)
  return gzip === null || Number(gzip[1] ?? 1) === 0 ? rules.plain : rules.gzip
}

/** True where If-None-Match names this form, by weak comparison (RFC 9110 section 13.1.2). No parsing: our tags hold no quote inside. */
export const isHeld = (ifNoneMatch: string | undefined, { etag }: Representation): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
