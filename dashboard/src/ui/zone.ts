// The one time zone of a page.
import { createContext, use } from 'react'

export const ZoneContext = createContext('UTC')

/** The IANA name of the zone that all times of the page are in. */
export const useZone = (): string => use(ZoneContext)
