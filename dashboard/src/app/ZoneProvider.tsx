import type { ReactNode } from 'react'
import { isZone } from '../format/index.ts'
import { ZoneContext } from '../ui/index.ts'
import { usePreference } from './preferences.ts'

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that the person chose, else that of the browser. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  const chosen = usePreference('zone')
  return <ZoneContext value={chosen !== null && isZone(chosen) ? chosen : localZone}>{children}</ZoneContext>
}
