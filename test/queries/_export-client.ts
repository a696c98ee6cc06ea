// A client of the export: reads lines as they arrive, can stop reading, and can lose its connection.
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { until } from '../_kit/until.ts'

export const cursorHeader = 'x-tracewright-cursor'

export type Line = { readonly id: string; readonly start_time: string; readonly cursor: string } & Record<
  string,
  unknown
>

export type ExportCall = {
  readonly baseUrl: string
  readonly token: string
  readonly workspaceId: string
  readonly query?: Readonly<Record<string, string>>
  readonly cursor?: string | undefined
  readonly gzip?: boolean
}

/** Resolves with the head of the answer, before any of its body is read. */
export async function beginExport(call: ExportCall): Promise<IncomingMessage> {
  const query = new URLSearchParams(call.query).toString()
  return await new Promise((done, fail) => {
    const asked = request(`${call.baseUrl}/v1/workspaces/${call.workspaceId}/export?${query}`, {
      agent: false,
      headers: {
        authorization: `Bearer ${call.token}`,
        ...(call.cursor === undefined ? {} : { [cursorHeader]: call.cursor }),
        ...(call.gzip === true ? { 'accept-encoding': 'gzip' } : {}),
      },
    })
    asked.on('response', done)
    asked.on('error', fail)
    asked.end()
  })
}

export type Exported = {
  readonly lines: Line[]
  readonly headers: IncomingMessage['headers']
  /** The trailer; undefined if the answer was not received to its end. */
  readonly endCursor: string | undefined
}

/** Reads an export to its end, or drops the connection after `dropBehind` lines. */
export async function readExport(call: ExportCall, dropBehind = Number.POSITIVE_INFINITY): Promise<Exported> {
  const response = await beginPatiently(call)
  if (response.statusCode !== 200)
    throw new Error(`the export answered ${response.statusCode}: ${await readText(response)}`)
  const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
  const lines: Line[] = []
  for await (const line of createInterface({ input: body })) {
    lines.push(JSON.parse(line) as Line)
    if (lines.length >= dropBehind) break
  }
  const isDropped = lines.length >= dropBehind
  if (isDropped || !response.complete) response.destroy()
  // The system may have received the whole answer although its last lines were not read.
  return { lines, headers: response.headers, endCursor: isDropped ? undefined : response.trailers[cursorHeader] }
}

/** Retries if the workspace has begun too many exports in this second, or if the previous connection is not yet known to be dropped. */
export async function beginPatiently(call: ExportCall): Promise<IncomingMessage> {
  let response = await beginExport(call)
  await until(async () => {
    if (response.statusCode !== 429) return true
    response.destroy()
    response = await beginExport(call)
    return false
  })
  return response
}

export async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
