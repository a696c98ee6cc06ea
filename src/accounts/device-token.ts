// Device tokens: whoever has signed in to an account from a device shows so at the next sign-in, and is counted apart from
// strangers, who could otherwise lock the owner out. A token is no credential: the password is checked all the same. Nothing is stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SealKeys } from '../base/seal.ts'

const prefix = 'tw_dv_'
// 1 named the address alone, and outlived the password.
const version = 2
const idBytes = 16
const headBytes = 1 + idBytes + 6
const macBytes = 32
const textPattern = /^tw_dv_[A-Za-z0-9_-]{74}$/
// Half a year after the last sign-in with it.
const lifeMs = 180 * 86_400_000

/** What a token is for: one user, and the password that they have had since `passwordChangedAt` (null: since the sign-up). */
export type DeviceOwner = { readonly userId: string; readonly passwordChangedAt: Date | null }

export type DeviceTokens = {
  /** The device that the token names, if the token was made for this owner and has not expired; null otherwise. */
  readonly read: (text: string | null, owner: DeviceOwner) => string | null
  /** A token of this device, or of a new one. */
  readonly make: (device: string | null, owner: DeviceOwner) => string
}

type Deps = { readonly keys: SealKeys; readonly now: () => Date }

/** HMAC-SHA-256 over version, device, time, user and password generation. While the secret is being changed, tokens of the other one are read too. */
export function makeDeviceTokens({ keys, now }: Deps): DeviceTokens {
  const sign = (key: Uint8Array, head: Uint8Array, { userId, passwordChangedAt }: DeviceOwner): Buffer =>
    createHmac('sha256', key)
      .update(head)
      .update(`${userId} ${passwordChangedAt?.getTime() ?? 'signup'}`)
      .digest()
  return {
    read: (text, owner) => {
      if (text === null || !textPattern.test(text)) return null
      const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
      const [head, mac] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes, headBytes + macBytes)]
      if (head.readUInt8(0) !== version || mac.byteLength !== macBytes) return null
      if (!keys.some((key) => timingSafeEqual(mac, sign(key, head, owner)))) return null
      const madeAtMs = head.readUIntBE(1 + idBytes, 6)
      return now().getTime() - madeAtMs < lifeMs ? head.toString('hex', 1, 1 + idBytes) : null
    },
    make: (device, owner) => {
      const head = Buffer.alloc(headBytes)
      head.writeUInt8(version, 0)
      const id = device === null ? randomBytes(idBytes) : Buffer.from(device, 'hex')
      id.copy(head, 1)
      head.writeUIntBE(now().getTime(), 1 + idBytes, 6)
      return prefix + Buffer.concat([head, sign(keys[0], head, owner)]).toString('base64url')
    },
  }
}
