// Device tokens: a device that has signed in to an account proves it at the next sign-in, and its attempts are counted apart from those of
// strangers, who could otherwise lock the owner out. A token is not a credential: the password is still checked. Nothing is stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SealKeys } from '../base/seal.ts'

const prefix = 'tw_dv_'
// Version 1 named only the address, and stayed valid after a password change.
const version = 2
const idBytes = 16
const headBytes = 1 + idBytes + 6
const macBytes = 32
const textPattern = /^tw_dv_[A-Za-z0-9_-]{74}$/
// Half a year after the last sign-in with the token.
const lifeMs = 180 * 86_400_000

/** The owner of a token: a user with the password that was set at `passwordChangedAt` (null: at sign-up). */
export type DeviceOwner = { readonly userId: string; readonly passwordChangedAt: Date | null }

export type DeviceTokens = {
  /** Returns the device id of the token if the token was made for this owner and has not expired; null otherwise. */
  readonly read: (text: string | null, owner: DeviceOwner) => string | null
  /** Returns a token for this device, or for a new device if null. */
  readonly make: (device: string | null, owner: DeviceOwner) => string
}

type Deps = { readonly keys: SealKeys; readonly now: () => Date }

/**
 * HMAC-SHA-256 over version, device, time, user and password generation. Accepts tokens of the other secret during a change of the secret.
 */
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
