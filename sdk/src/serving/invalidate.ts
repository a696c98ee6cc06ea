// SDK. Tells the service that what a tool gave back so far is no longer to be served.
import { type Http, Unreachable } from '../http.ts'

export type Invalidation = {
  readonly tool: string
  readonly version: string | null
  /** Null: of all inputs. */
  readonly inputHash: string | null
}

const timeoutMs = 10_000
const maxBytes = 65_536

/** Null where the service has taken it, otherwise why not. */
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
    // Any other success is that of somebody in between.
    return status === 204 ? null : `status_${status}`
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return error.code
  }
}
