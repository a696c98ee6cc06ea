// One GET over node:http, since fetch hides the order and the spelling of headers.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

export type RawAnswer = {
  readonly status: number
  readonly text: string
  /** Everything that a caller can compare: the status, the headers as received, and the body; without the request id and the date. */
  readonly whole: string
}

/** A null token sends no Authorization header. */
export async function rawGet(url: string, token: string | null): Promise<RawAnswer> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const call = request(url, { headers, agent: false })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const differing = new Set(['x-request-id', 'date'])
  const shown = response.rawHeaders.map((part, at, all) =>
    at % 2 === 1 && differing.has((all[at - 1] ?? '').toLowerCase()) ? '' : part,
  )
  const status = response.statusCode ?? 0
  return { status, text, whole: JSON.stringify([status, shown, text]) }
}
