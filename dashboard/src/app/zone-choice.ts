// The time zone that a person chose: in this browser, else in their account.
import { useQuery } from '@tanstack/react-query'
import { isZone } from '../format/index.ts'
import { usePreference, writePreference } from './preferences.ts'
import { meQuery } from './queries.ts'

/** Stands for the zone of the browser: what is not stored may be in the account. */
const local = 'local'

/** An IANA name; null: the zone of the browser. Asks for nothing by itself. */
export function useChosenZone(): string | null {
  const stored = usePreference('zone')
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const chosen = stored ?? me?.user.time_zone ?? null
  return chosen !== null && isZone(chosen) ? chosen : null
}

/** In this browser alone. */
export const chooseZone = (zone: string | null): void => writePreference('zone', zone ?? local)
