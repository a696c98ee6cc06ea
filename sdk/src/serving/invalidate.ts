// SDK. Requests from the service that results of earlier executions of a tool are no longer served.
import { type Http, Unreachable } from '../http.ts'

export type Invalidation = {
  readonly tool: string
  readonly version: string | null
  /** Null: the results of all inputs. */
  readonly inputHash: string | null
}

const timeoutMs = 10_000
const maxBytes = 65_536

/** Returns null where the service has accepted the invalidation, otherwise the reason: a status or an error code. */
export async function sendInvalidation(
  http: Pick<Http, 'ask'>,
  { tool, version, inputHash }: Invalidation,
): Promise<string | null> {
  const body = {
    tool_name: tool,
    ...(version === null ? {} : { version }),
    ...(inputHash === null ? {} : { input_hash: inputHash }),
  }
  try {
    const { status } = await http.ask({
      method: 'POST',
      path: '/v1/apply/invalidate',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
      timeoutMs,
      maxBytes,
      background: false,
    })
    // Any other success status comes from a proxy, not from the service.
    return status === 204 ? null : `status_${status}`
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return error.code
  }
}
