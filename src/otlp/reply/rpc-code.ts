// Maps an HTTP status to its google.rpc code, for the bodies of OTLP responses.

const codes: ReadonlyMap<number, number> = new Map([
  [400, 3], // INVALID_ARGUMENT
  [401, 16], // UNAUTHENTICATED
  [403, 7], // PERMISSION_DENIED
  [404, 5], // NOT_FOUND
  [405, 12], // UNIMPLEMENTED
  [408, 4], // DEADLINE_EXCEEDED
  [413, 3], // not RESOURCE_EXHAUSTED, since a retry would not help
  [415, 3],
  [429, 8], // RESOURCE_EXHAUSTED
  [500, 13], // INTERNAL
  [502, 14], // UNAVAILABLE
  [503, 14],
  [504, 4],
])

const unknownCode = 2

/** Returns 2 (UNKNOWN) for a status that ingest does not use. */
export const rpcCodeOf = (httpStatus: number): number => codes.get(httpStatus) ?? unknownCode
