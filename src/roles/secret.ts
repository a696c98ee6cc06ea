// Floor 4. The secret that seals signing keys, sessions and cursors: given, or made once for an embedded start.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export function readSecret(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Uint8Array {
  if (config.SECRET !== undefined) return Buffer.from(config.SECRET, 'utf8')
  mkdirSync(config.DATA_DIR, { recursive: true })
  const file = join(config.DATA_DIR, 'secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8')
}
