// The keys that sign and verify access tokens: stored sealed in the database, cached in memory, rotated by whichever process is first.
import { subtle, type webcrypto } from 'node:crypto'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { type SealKeys, seal, unsealAny } from '../../base/seal.ts'
import type { Database, Runner, Tx } from '../../store/database.ts'
import { type Representation, represent } from '../../web/representation.ts'
import { planRotation } from './rotation.ts'

export type Keyring = {
  /** Returns the key that signs now. */
  readonly signer: () => { readonly kid: string; readonly privateKey: CryptoKey }
  /**
   * Returns the public key of this id. Unknown ids cost one query in 30 s, however many there are, or in 5 s if it fails. Throws its Outage
   * then.
   */
  readonly find: (kid: string) => Promise<CryptoKey | null>
  /** The published key set as JSON. */
  readonly published: () => Representation
  /** Creates, retires and drops the keys that are due, seals anew the keys that another secret sealed, and reads all keys again. */
  readonly rotate: () => Promise<void>
  /** Number of keys that it has sealed anew since it was opened. */
  readonly resealed: () => number
  readonly stop: () => void
}

type CryptoKey = webcrypto.CryptoKey

type Deps = {
  readonly db: Pick<Database, 'rows' | 'tx'>
  /** Seal the private keys; 32 bytes each. */
  readonly sealKeys: SealKeys
  readonly now: () => Date
  readonly onError: (error: unknown, doing: string) => void
}

type Row = { kid: string; public_jwk: JWK; sealed_private_key: Buffer; active_from: Date; retired_at: Date | null }
type Opened = { readonly row: Row; readonly pkcs8: Buffer; readonly isCurrent: boolean }
type HeldKey = {
  kid: string
  jwk: JWK
  activeFrom: Date
  retiredAt: Date | null
  publicKey: CryptoKey
  privateKey: CryptoKey
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const rotateEveryMs = 600_000
const readEveryMs = 30_000
const readAfterFailureMs = 5_000

/** Resolves when it can sign. Throws Outage without the database, and an error if the keys were sealed with an unknown secret. */
export async function openKeyring(deps: Deps): Promise<Keyring> {
  let held: readonly HeldKey[] = []
  let reads = 0
  let heldRead = 0
  let rotating: Promise<void> | null = null
  let resealed = 0
  let lastRead: Promise<void> = Promise.resolve()
  let nextReadMs = 0

  async function hold(read: () => Promise<Opened[]>): Promise<Opened[]> {
    reads += 1
    const own = reads
    const opened = await read()
    const keys = await Promise.all(opened.map(importKey))
    // Of two reads that overlap, the one that began last is kept.
    if (own < heldRead) return opened
    heldRead = own
    held = keys
    return opened
  }
  async function rotateNow(): Promise<void> {
    const opened = await hold(async () => await deps.db.tx(async (tx) => await rotateRows(tx, deps)))
    nextReadMs = deps.now().getTime() + readEveryMs
    lastRead = Promise.resolve()
    resealed += opened.filter(({ isCurrent }) => !isCurrent).length
  }
  async function rotate(): Promise<void> {
    rotating ??= rotateNow().finally(() => {
      rotating = null
    })
    await rotating
  }
  /** Reads the keys without the lock of a rotation: any client can send a token with an unknown key id. */
  async function readKeys(): Promise<void> {
    try {
      await (rotating ?? hold(async () => await readRows(deps.db, deps)))
    } catch (error) {
      nextReadMs = deps.now().getTime() + readAfterFailureMs
      throw error
    }
  }
  const live = (): HeldKey[] => {
    const nowMs = deps.now().getTime()
    return held.filter(({ retiredAt }) => retiredAt === null || retiredAt.getTime() > nowMs)
  }
  const lookUp = (kid: string): CryptoKey | null => live().find((key) => key.kid === kid)?.publicKey ?? null

  await rotate()
  const timer = setInterval(() => {
    rotate().catch((error: unknown) => deps.onError(error, 'rotating signing keys'))
  }, rotateEveryMs)
  timer.unref()

  return {
    signer: () => {
      const nowMs = deps.now().getTime()
      const key = live().findLast(({ activeFrom }) => activeFrom.getTime() <= nowMs)
      if (key === undefined) throw new Error('no signing key is active: the system clock was set back')
      return key
    },
    find: async (kid) => {
      const known = lookUp(kid)
      if (known !== null) return known
      const nowMs = deps.now().getTime()
      if (nowMs >= nextReadMs) {
        nextReadMs = nowMs + readEveryMs
        lastRead = readKeys()
      }
      await lastRead
      return lookUp(kid)
    },
    published: () => {
      const keys = live().map(({ kid, jwk }) => Object.assign({ kid, alg: 'ES256', use: 'sig' }, jwk))
      const plain = Buffer.from(JSON.stringify({ keys }))
      return represent({ plain }, { version: 'keys', cacheControl: 'public, max-age=600' }).plain
    },
    rotate,
    resealed: () => resealed,
    stop: () => clearInterval(timer),
  }
}

async function rotateRows(tx: Tx, deps: Deps): Promise<Opened[]> {
  await tx.run('accounts/lock-signing-keys')
  const rows = await tx.rows<Row>('accounts/list-signing-keys')
  const times = rows.map((row) => ({ kid: row.kid, activeFrom: row.active_from, retiredAt: row.retired_at }))
  const plan = planRotation(times, deps.now())
  for (const activeFrom of plan.make) await makeSigningKey(tx, activeFrom, deps.sealKeys[0])
  for (const { kid, at } of plan.retire) await tx.run('accounts/retire-signing-key', [kid, at])
  for (const kid of plan.drop) await tx.run('accounts/drop-signing-key', [kid])
  // In the transaction, so that a process with a wrong secret leaves no key that others cannot open.
  const opened = await readRows(tx, deps)
  for (const { row, pkcs8, isCurrent } of opened) {
    if (!isCurrent) await tx.run('accounts/reseal-signing-key', [row.kid, seal(deps.sealKeys[0], pkcs8, row.kid)])
  }
  return opened
}

async function readRows(runner: Pick<Runner, 'rows'>, { sealKeys }: Deps): Promise<Opened[]> {
  const rows = await runner.rows<Row>('accounts/list-signing-keys')
  return rows.map((row) => openRow(row, sealKeys))
}

async function makeSigningKey(tx: Tx, activeFrom: Date, sealKey: Uint8Array): Promise<void> {
  const pair = await subtle.generateKey(curve, true, ['sign', 'verify'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', pair.publicKey)
  const jwk = { kty, crv, x, y } as JWK
  const kid = await calculateJwkThumbprint(jwk)
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', pair.privateKey))
  await tx.run('accounts/insert-signing-key', [kid, jwk, seal(sealKey, pkcs8, kid), activeFrom])
}

async function importKey({ row, pkcs8 }: Opened): Promise<HeldKey> {
  return {
    kid: row.kid,
    jwk: row.public_jwk,
    activeFrom: row.active_from,
    retiredAt: row.retired_at,
    publicKey: await subtle.importKey('jwk', row.public_jwk, curve, true, ['verify']),
    // Not extractable: from here on no code in the process can read it.
    privateKey: await subtle.importKey('pkcs8', pkcs8, curve, false, ['sign']),
  }
}

function openRow(row: Row, sealKeys: SealKeys): Opened {
  try {
    const { plaintext, isCurrent } = unsealAny(sealKeys, row.sealed_private_key, row.kid)
    return { row, pkcs8: plaintext, isCurrent }
  } catch (cause) {
    throw new Error('cannot decrypt a signing key: TRACEWRIGHT_SECRET is not the secret that encrypted it', {
      cause,
    })
  }
}
