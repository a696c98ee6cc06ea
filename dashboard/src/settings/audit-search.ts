// The filters of the audit log. Without a window in the URL, the log shows all entries, since the relevant ones may be old.
import {
  type Ignored,
  oneOf,
  readFilters,
  readWindow,
  type Search,
  type TimeWindow,
  uuidFilter,
  windowNames,
} from '../window/index.ts'
import { type AuditAction, auditActions } from './audit-words.ts'

export type AuditSearch = {
  readonly actor: string | undefined
  readonly action: AuditAction | undefined
  /** Null: all entries. */
  readonly window: TimeWindow | null
  readonly ignored: readonly Ignored[]
}

const readers = { actor: uuidFilter, action: oneOf(...(Object.keys(auditActions) as AuditAction[])) }

/** `openedAtMs`: the end of preset windows. It stays the same, so that all pages of the log have the same window. */
export function readAuditSearch(search: Search, openedAtMs: number, zone: string): AuditSearch {
  const { filters, ignored } = readFilters(search, readers)
  const { actor, action } = filters
  if (!windowNames.some((name) => search[name] !== undefined)) return { actor, action, window: null, ignored }
  const window = readWindow(search, openedAtMs, zone)
  const isGiven = window.preset === null || window.preset === search['range']
  return { actor, action, window: isGiven ? window : null, ignored: [...ignored, ...window.ignored] }
}

/** Returns the query parameters of the API. A preset window has no end. */
export const toAuditQuery = ({ actor, action, window }: AuditSearch) => ({
  ...(actor === undefined ? {} : { actor }),
  ...(action === undefined ? {} : { action }),
  ...(window === null ? {} : { from_time: window.from }),
  ...(window === null || window.preset !== null ? {} : { to_time: window.to }),
})
