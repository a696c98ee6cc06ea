// A tool result that the service may keep but cannot read: encrypted on the customer's side, as an SDK does.
import { createCipheriv, createHash } from 'node:crypto'
import type { AttributeInput } from '../_kit/spans.ts'
import type { Chance } from './chance.ts'
import type { Attributes } from './telling.ts'

// A demo has no secrets; a real key never leaves its owner.
const key = createHash('sha256').update('the key of the demo fleet').digest()

/** Returns the attributes of an attested, encrypted result: AES-256-GCM over its JSON, and a hash of it. */
export function sealResult(chance: Chance, result: AttributeInput): Attributes {
  const plain = JSON.stringify(result)
  const iv = Buffer.from(chance.hex(12), 'hex')
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return {
    'tracewright.tool.attested': true,
    'tracewright.tool.content_hash': `sha256:${createHash('sha256').update(plain).digest('hex')}`,
    'tracewright.tool.ciphertext': ciphertext,
    'tracewright.tool.iv': iv,
    'tracewright.tool.tag': cipher.getAuthTag(),
    'tracewright.tool.key_id': 'demo-key-1',
  }
}
