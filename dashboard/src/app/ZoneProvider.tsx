import type { ReactNode } from 'react'
import { ZoneContext } from '../ui/index.ts'
import { useChosenZone } from './zone-choice.ts'

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Provides the time zone that the user chose, or else that of the browser. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  return <ZoneContext value={useChosenZone() ?? localZone}>{children}</ZoneContext>
}
