// One version of the rules as the bytes and headers that are sent.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Representations, represent } from '../web/representation.ts'

export type ServedRules = Representations & {
  readonly version: string
  /** Approximate memory use. */
  readonly bytes: number
}

const compress = promisify(gzip)
const overheadBytes = 2_048

/** Serializes and compresses once, off the main thread. Every response copies these bytes. */
export async function makeServedRules(rules: {
  readonly version: string
  readonly text: string
}): Promise<ServedRules> {
  const body = Buffer.from(rules.text)
  const forms = represent(
    { plain: body, gzip: await compress(body) },
    { version: rules.version, cacheControl: 'private, no-cache' },
  )
  // Parsed for tool results, the rules take about the same memory again.
  const bytes = overheadBytes + 2 * body.length + (forms.gzip?.body.length ?? 0)
  return { version: rules.version, ...forms, bytes }
}
