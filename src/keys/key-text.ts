// The text of a key: tw_sk_<8 of id>_<32 base62><6 of CRC-32>. Secret scanners recognize it, and a mistyped key never reaches the database.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idCharacters = 8
const secretCharacters = 32
const checksumCharacters = 6
const keyPattern = /^tw_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/

export type MadeKey = { readonly text: string; readonly prefix: string; readonly digest: Buffer }

/** Makes a new key with 190 random bits. */
export function makeApiKey(): MadeKey {
  const prefix = `tw_sk_${drawBase62(idCharacters)}`
  const body = `${prefix}_${drawBase62(secretCharacters)}`
  const text = body + formatChecksum(body)
  return { text, prefix, digest: digestKey(text) }
}

/** Whether the text has the form of a key and a correct checksum. No query; takes some microseconds. */
export function isKeyText(text: string): boolean {
  if (!keyPattern.test(text)) return false
  const body = text.slice(0, -checksumCharacters)
  return text.slice(-checksumCharacters) === formatChecksum(body)
}

/** SHA-256 of the whole text: with 190 random bits, neither a salt nor a slow hash would add security. */
export const digestKey = (text: string): Buffer => Buffer.from(digestKeyHex(text), 'hex')

/** The same in hex, as the key of maps. A single library call, since every request makes it. */
export const digestKeyHex = (text: string): string => hash('sha256', text, 'hex')

function formatChecksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let at = 0; at < checksumCharacters; at += 1) {
    text = alphabet.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Bytes from 248 on are discarded, since they would favour the first characters. */
function drawBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
  }
  return text
}
