// Reads the servers of NATS from one text. Separate from the client, so that the settings can be checked without loading it.
import { hasValidEscapes } from '../base/url-escapes.ts'

/** `nats://host:port` or `tls://host:port`, several separated by commas, each perhaps with credentials. Returns null if it is malformed. */
export function readNatsServers(text: string): readonly URL[] | null {
  const parts = text.split(',').map((part) => part.trim())
  const urls = parts.filter((part) => part !== '').map(parseServer)
  return urls.length > 0 && urls.every((url) => url !== null) ? urls : null
}

function parseServer(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`)
  if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') return null
  return hasValidEscapes(url) ? url : null
}
