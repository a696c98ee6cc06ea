// The secret that seals signing keys, sessions and cursors: given, or made once for an embedded start; and the other one
// while it is being changed.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { readOrMakeSecret } from '../store/data-folder.ts'

/** The secret that seals, and behind it the other one that opens as well, where there is one. */
export function readSecrets(config: Pick<Config, 'SECRET' | 'SECRET_OTHER' | 'DATA_DIR'>): Secrets {
  const other = config.SECRET_OTHER
  return [readSecret(config), ...(other === undefined ? [] : [Buffer.from(other, 'utf8')])]
}

function readSecret(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Uint8Array {
  if (config.SECRET !== undefined) return Buffer.from(config.SECRET, 'utf8')
  mkdirSync(config.DATA_DIR, { recursive: true })
  return Buffer.from(readOrMakeSecret(join(config.DATA_DIR, 'secret'), 32), 'utf8')
}
