// The time zone that the user chose in this browser, or else in their account.
import { useQuery } from '@tanstack/react-query'
import { isZone } from '../format/index.ts'
import { usePreference, writePreference } from './preferences.ts'
import { meQuery } from './queries.ts'

/** Stored for "the zone of the browser"; without a stored value, the zone of the account applies. */
const local = 'local'

/** Returns an IANA name; null means the zone of the browser. Sends no request. */
export function useChosenZone(): string | null {
  const stored = usePreference('zone')
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const chosen = stored ?? me?.user.time_zone ?? null
  return chosen !== null && isZone(chosen) ? chosen : null
}

/** Stores the zone in this browser only. Null: the zone of the browser. */
export const chooseZone = (zone: string | null): void => writePreference('zone', zone ?? local)
