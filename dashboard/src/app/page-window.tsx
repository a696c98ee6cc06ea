// The window of time of the page. A preset is resolved once a refresh, so that all panels of a page show the same window.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { useZone } from '../ui/zone.ts'
import { readWindow, type Search, type Target, type TimeWindow, writeWindow } from '../window/index.ts'

export type PageWindow = {
  readonly window: TimeWindow
  /** The clock of the page: the end of a preset. */
  readonly nowMs: number
  /** Moves a preset to now; panels ask again. */
  readonly refresh: () => void
  readonly setWindow: (target: Target) => void
}

const refreshMs = 30_000
const Context = createContext<PageWindow | null>(null)

/** The window of the page; only inside of a workspace. */
export function usePageWindow(): PageWindow {
  const page = use(Context)
  if (page === null) throw new Error('there is no window outside of a workspace')
  return page
}

export function PageWindowProvider({ children }: { readonly children: ReactNode }) {
  const zone = useZone()
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [nowMs, setNowMs] = useState(() => Date.now())
  const refresh = useCallback(() => setNowMs(Date.now()), [])
  const { range, from_time: from, to_time: to } = search
  const window = useMemo(
    () => readWindow(withoutAbsent({ range, from_time: from, to_time: to }), nowMs, zone),
    [range, from, to, nowMs, zone],
  )
  const isLive = window.preset !== null

  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setNowMs(Date.now())
    }, refreshMs)
    return () => clearInterval(timer)
  }, [isLive])

  const setWindow = useCallback(
    (target: Target) => {
      setNowMs(Date.now())
      void navigate({ to: '.', search: (before) => writeWindow(withoutAbsent(before), target) })
    },
    [navigate],
  )
  const page = useMemo(() => ({ window, nowMs, refresh, setWindow }), [window, nowMs, refresh, setWindow])
  return <Context value={page}>{children}</Context>
}

const withoutAbsent = (search: Readonly<Record<string, string | undefined>>): Search =>
  Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
