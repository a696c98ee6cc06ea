// The secret that seals signing keys, sessions and cursors: configured, or generated once for the embedded database. During a change of the
// secret, also the other secret.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { readOrMakeSecret } from '../store/data-folder.ts'

/** Returns the secret that seals, followed by the other secret if one is set; both can open sealed data. */
export function readSecrets(config: Pick<Config, 'SECRET' | 'SECRET_OTHER' | 'DATA_DIR'>): Secrets {
  const other = config.SECRET_OTHER
  return [readSecret(config), ...(other === undefined ? [] : [Buffer.from(other, 'utf8')])]
}

function readSecret(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Uint8Array {
  if (config.SECRET !== undefined) return Buffer.from(config.SECRET, 'utf8')
  mkdirSync(config.DATA_DIR, { recursive: true })
  return Buffer.from(readOrMakeSecret(join(config.DATA_DIR, 'secret'), 32), 'utf8')
}
