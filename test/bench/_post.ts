// One ingest request as an exporter sends it, and what became of it.
import { type Agent, request } from 'node:http'

export type Posted = {
  /** Null: the connection broke before the answer was here. */
  readonly status: number | null
  /** Seconds; null where the answer does not say. */
  readonly retryAfterS: number | null
  /** Of the answer's body; a full success has none. */
  readonly bytes: number
  /** What an answer that is not 200 says, as text. */
  readonly said: string
}

/** Posts a gzipped body, protobuf unless told otherwise. Never rejects: what goes wrong is an outcome like others. */
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
    // After an answer that came before the whole body was sent, this comes too late to matter.
    call.on('error', broken)
    call.end(body)
  })
}
