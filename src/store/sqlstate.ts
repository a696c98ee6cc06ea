// Classifies PostgreSQL errors by SQLSTATE, and errors of the connection by code.

export const sqlstate = {
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  invalidParameterValue: '22023',
  undefinedTable: '42P01',
  undefinedDatabase: '3D000',
  insufficientPrivilege: '42501',
  inFailedTransaction: '25P02',
  idleInTransaction: '25P03',
  queryCanceled: '57014',
} as const

/**
 * Connection (08), transaction rollback (40), resources (53), operator (57), system (58), lock not available (55P03),
 * read-only standby (25006), a function that a standby does not offer, such as the position of the log (55000), a session that was ended for
 * idling in its transaction (25P03) or for the transaction's length (25P04).
 */
const transientClasses = new Set(['08', '40', '53', '57', '58'])
const transientCodes = new Set<string>([
  sqlstate.lockNotAvailable,
  '25006',
  '55000',
  sqlstate.idleInTransaction,
  '25P04',
])
const dataClasses = new Set(['22', '23', '54'])
const transientSocketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Returns the five-character SQLSTATE of a thrown value, or null if it has none. */
export function readSqlstate(error: unknown): string | null {
  const code = readCode(error)
  // EPIPE has the form of a SQLSTATE but is none.
  return code !== null && !transientSocketCodes.has(code) && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

/**
 * True if the rows themselves are at fault: their data (22, 23), or a value too large for an index or a page (54). Retrying cannot help.
 */
export function isDataFault(error: unknown): boolean {
  const state = readSqlstate(error)
  return state !== null && dataClasses.has(state.slice(0, 2))
}

/** True if a lock could not be acquired: other sessions held it for too long, or there was a deadlock. */
export function isLockedOut(error: unknown): boolean {
  const state = readSqlstate(error)
  return state === sqlstate.lockNotAvailable || state === sqlstate.deadlockDetected
}

const timeLimits = new Set<string>([sqlstate.queryCanceled, sqlstate.idleInTransaction, '25P04'])

/** True if a running server ended the transaction for a lock, a conflict or a time limit. What was committed before is not affected. */
export function isConflict(error: unknown): boolean {
  const state = readSqlstate(error)
  return state !== null && (isLockedOut(error) || state.startsWith('40') || timeLimits.has(state))
}

/** True if PostgreSQL refuses the login because of the user, its password, or the address that it connects from. */
export function isLoginRefused(error: unknown): boolean {
  const state = readSqlstate(error)
  return state === '28000' || state === '28P01'
}

/** True if the same statement may succeed later: the server, the connection or a lock was at fault. */
export function isTransient(error: unknown): boolean {
  const state = readSqlstate(error)
  if (state !== null) return transientClasses.has(state.slice(0, 2)) || transientCodes.has(state)
  const code = readCode(error)
  return code === null ? isLostConnection(error) : transientSocketCodes.has(code)
}

// node-pg throws these errors without a code, so they are recognised by their text.
const lostConnectionTexts = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end on the pool',
]

function isLostConnection(error: unknown): boolean {
  return error instanceof Error && lostConnectionTexts.some((text) => error.message.startsWith(text))
}

function readCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
