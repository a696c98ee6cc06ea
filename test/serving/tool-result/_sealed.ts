// Executions as an SDK sends them: the result is encrypted with a key that the service never has.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { AttributeInput } from '../../_kit/spans.ts'

export type Customer = { readonly encryptionKey: Buffer; readonly hashKey: Buffer; readonly keyId: string }

export const makeCustomer = (): Customer => ({
  encryptionKey: randomBytes(32),
  hashKey: randomBytes(32),
  keyId: 'customer-key-1',
})

/** Returns the attributes of an attested execution with this result. */
export function seal(
  { encryptionKey, hashKey, keyId }: Customer,
  tool: string,
  inputHash: string,
  result: string,
): Record<string, AttributeInput> {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv)
  const ciphertext = Buffer.concat([cipher.update(result, 'utf8'), cipher.final()])
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'tracewright.tool.input_hash': inputHash,
    'tracewright.tool.content_hash': hashResult(hashKey, result),
    'tracewright.tool.attested': true,
    'tracewright.tool.ciphertext': ciphertext,
    'tracewright.tool.iv': iv,
    'tracewright.tool.tag': cipher.getAuthTag(),
    'tracewright.tool.key_id': keyId,
  }
}

const hashResult = (key: Buffer, result: string): string =>
  `hmac-sha256:${createHmac('sha256', key).update(result).digest('hex')}`

type Served = { content_hash: string; ciphertext_b64: string; iv_b64: string; tag_b64: string }

/** Decrypts and checks the result as an SDK does. Throws if anything is wrong with it. */
export function unseal({ encryptionKey, hashKey }: Customer, served: Served): string {
  const decipher = createDecipheriv('aes-256-gcm', encryptionKey, Buffer.from(served.iv_b64, 'base64'))
  decipher.setAuthTag(Buffer.from(served.tag_b64, 'base64'))
  const ciphertext = Buffer.from(served.ciphertext_b64, 'base64')
  const result = Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString()
  if (hashResult(hashKey, result) !== served.content_hash) throw new Error('the content hash is another')
  return result
}
