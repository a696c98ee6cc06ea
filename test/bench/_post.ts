// Sends one ingest request as an exporter does, and returns its outcome.
import { type Agent, request } from 'node:http'

export type Posted = {
  /** Null if the connection broke before the answer arrived. */
  readonly status: number | null
  /** Seconds; null if the answer has no Retry-After. */
  readonly retryAfterS: number | null
  /** Length of the answer's body; a full success has none. */
  readonly bytes: number
  /** The text of an answer that is not 200. */
  readonly said: string
}

/** Posts a gzipped body, protobuf by default. Never rejects: a failure is an outcome like any other. */
export function postSpans(
  agent: Agent,
  baseUrl: string,
  key: string,
  body: Uint8Array,
  contentType = 'application/x-protobuf',
): Promise<Posted> {
  return new Promise((done) => {
    const broken = (): void => done({ status: null, retryAfterS: null, bytes: 0, said: '' })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': contentType,
      'content-encoding': 'gzip',
      'content-length': body.length,
    }
    const call = request(`${baseUrl}/v1/otlp/v1/traces`, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0
      let said = ''
      response.on('data', (data: Buffer) => {
        bytes += data.length
        if (response.statusCode !== 200) said += data.toString('latin1')
      })
      response.on('error', broken)
      response.on('end', () => {
        const after = Number(response.headers['retry-after'] ?? Number.NaN)
        done({
          status: response.statusCode ?? null,
          retryAfterS: Number.isFinite(after) ? after : null,
          bytes,
          said: said.replaceAll(/[^ -~]+/g, ''),
        })
      })
    })
    // If the answer came before the whole body was sent, this error comes too late to matter.
    call.on('error', broken)
    call.end(body)
  })
}
