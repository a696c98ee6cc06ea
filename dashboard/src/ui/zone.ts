// The time zone of a page.
import { createContext, use } from 'react'

export const ZoneContext = createContext('UTC')

/** Returns the IANA name of the zone in which the page shows all times. */
export const useZone = (): string => use(ZoneContext)
