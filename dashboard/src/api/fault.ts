// Refused and failed requests in one form for every page.

/** A message about one field of a request; `loc` starts with path, query, header or body. */
export type FieldFault = { readonly loc: readonly (string | number)[]; readonly msg: string }

type Facts = {
  /** The HTTP status; 0 if there was no response, or one that is not JSON. */
  readonly status: number
  readonly detail: string
  readonly requestId: string | null
  readonly retryAfterS: number | null
  readonly fields: readonly FieldFault[]
}

export class ApiFault extends Error implements Facts {
  override readonly name = 'ApiFault'
  readonly status: number
  readonly detail: string
  readonly requestId: string | null
  readonly retryAfterS: number | null
  readonly fields: readonly FieldFault[]

  constructor(facts: Facts, options?: ErrorOptions) {
    super(facts.detail, options)
    this.status = facts.status
    this.detail = facts.detail
    this.requestId = facts.requestId
    this.retryAfterS = facts.retryAfterS
    this.fields = facts.fields
  }
}

/** Reads the fault from the body of a response whose `ok` is false. */
export async function readFault(response: Response): Promise<ApiFault> {
  const { detail, fields } = readDetail(await response.text())
  return new ApiFault({
    status: response.status,
    detail: detail ?? `The service answered ${response.status}`,
    requestId: response.headers.get('x-request-id'),
    retryAfterS: readSeconds(response.headers.get('retry-after')),
    fields,
  })
}

/** The fault for a request without a response: no network, or the service is down. */
export function makeNetworkFault(cause: unknown): ApiFault {
  const detail = 'The service cannot be reached'
  return new ApiFault({ status: 0, detail, requestId: null, retryAfterS: null, fields: [] }, { cause })
}

/** The fault for a request that was not answered in time. The service may have received it. */
export function makeTimeoutFault(cause: DOMException, limitMs: number): ApiFault {
  const detail = `The service has not answered within ${limitMs / 1_000} s`
  return new ApiFault({ status: 0, detail, requestId: null, retryAfterS: null, fields: [] }, { cause })
}

/** Whether the request was not answered in time, so that it is unknown what the service did. */
export const isTimeout = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && error.cause instanceof DOMException && error.cause.name === 'TimeoutError'

/** The fault for a change whose request was not answered in time. */
export function makeUnknownFault({ status, detail, requestId, retryAfterS, fields, cause }: ApiFault): ApiFault {
  const text = `${detail}. The change may have been made: reload the page to see, before you try again`
  return new ApiFault({ status, detail: text, requestId, retryAfterS, fields }, { cause })
}

/**
 * The fault for a request that was refused because the session had ended. Its text stays true after the user has signed in again, while a
 * form still shows it.
 */
export const makeEndedFault = ({ status, requestId, retryAfterS, fields }: ApiFault): ApiFault =>
  new ApiFault({
    status,
    detail: 'Your session had ended, so this was not done: try again',
    requestId,
    retryAfterS,
    fields,
  })

/** The fault for a response that is not JSON: it was cut off, or it is a page of a proxy. */
export function makeUnreadableFault(cause: SyntaxError): ApiFault {
  const detail = 'The response of the service cannot be read: a proxy may have changed it'
  return new ApiFault({ status: 0, detail, requestId: null, retryAfterS: null, fields: [] }, { cause })
}

type Read = { readonly detail: string | null; readonly fields: readonly FieldFault[] }

/** Reads `detail` of the body; null if the body is not from the service, such as a page of a proxy. */
function readDetail(text: string): Read {
  const detail = parse(text)
  if (typeof detail === 'string') return { detail, fields: [] }
  if (!Array.isArray(detail)) return { detail: null, fields: [] }
  const fields = detail.filter(isFieldFault)
  return { detail: fields.map(({ msg }) => msg).join('; ') || null, fields }
}

function parse(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  } catch {
    return null
  }
}

const isFieldFault = (item: unknown): item is FieldFault =>
  typeof item === 'object' && item !== null && 'loc' in item && Array.isArray(item.loc) && 'msg' in item

const readSeconds = (header: string | null): number | null =>
  header !== null && /^\d+$/.test(header) ? Number(header) : null

/** Returns the message about one field of the body, or null. */
export const faultOfField = (fault: ApiFault | null, field: string): string | null =>
  fault?.fields.find(({ loc }) => loc[0] === 'body' && loc[1] === field)?.msg ?? null

/** As `faultOfField`, and for `current_password` also the detail of a 403: the service compared it with the stored password. */
export const faultOfPassword = (fault: ApiFault | null, field: string): string | null =>
  fault?.status === 403 && field === 'current_password' ? fault.detail : faultOfField(fault, field)

/** Whether the URL names nothing that this person can see: 422 is the answer to a text that cannot be an id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiFault && (error.status === 404 || error.status === 422)

/** Whether the same request may succeed later without a change. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiFault && (error.status === 0 || error.status === 429 || error.status === 503)
