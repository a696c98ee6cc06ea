// The time window of the page. A preset is resolved once per refresh, so that all panels of a page show the same window.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useZone } from '../ui/zone.ts'
import { readWindow, type Search, type Target, type TimeWindow, writeWindow } from '../window/index.ts'
import { usePageFacts } from './frame/Breadcrumb.tsx'

export type PageWindow = {
  readonly window: TimeWindow
  /** The clock of the page, in milliseconds since 1970: the end of a preset window. */
  readonly nowMs: number
  /** Moves a preset window to the current time and refetches all panels. */
  readonly refresh: () => void
  /** How often the user has asked for a refresh. */
  readonly refreshes: number
  readonly setWindow: (target: Target) => void
}

const refreshMs = 30_000
const Context = createContext<PageWindow | null>(null)

/** Returns the window of the page. Throws outside of the provider, which the frame renders. */
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
  const [refreshes, setRefreshes] = useState(0)
  const refresh = useCallback(() => {
    setRefreshes((before) => before + 1)
    setNowMs(Date.now())
  }, [])
  const { range, from_time: from, to_time: to } = search
  // As JSON, so that a window with fixed bounds stays the same object when the clock of the page moves: charts compare it.
  const read = JSON.stringify(readWindow(withoutAbsent({ range, from_time: from, to_time: to }), nowMs, zone))
  const window = useMemo(() => JSON.parse(read) as TimeWindow, [read])
  const isLive = window.preset !== null
  useRefetch(nowMs, refreshes)

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
  const page = useMemo(
    () => ({ window, nowMs, refresh, refreshes, setWindow }),
    [window, nowMs, refresh, refreshes, setWindow],
  )
  return <Context value={page}>{children}</Context>
}

/**
 * Refetches the stale active queries of a page with a window on each tick of its clock, since queries that do not depend on the window
 * would otherwise stay as they are. A refresh that the user asked for includes queries that are not stale, and pages without a window.
 */
function useRefetch(nowMs: number, refreshes: number): void {
  const client = useQueryClient()
  const { hasWindow } = usePageFacts()
  const last = useRef({ nowMs, refreshes })
  useEffect(() => {
    const isWhole = last.current.refreshes !== refreshes
    if (last.current.nowMs === nowMs && !isWhole) return
    last.current = { nowMs, refreshes }
    if (!hasWindow && !isWhole) return
    const predicate = (query: Query): boolean => isRefreshed(query) && (isWhole || query.isStale())
    // Requests for the new window are already in flight, since the effects of the panels run first; they are not cancelled.
    void client.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false })
  }, [client, hasWindow, nowMs, refreshes])
}

/** Excludes lists that keep their rows as they were read, and traces, which can be megabytes. */
const isRefreshed = ({ queryKey: [name], observers }: Query): boolean =>
  name !== 'trace' && observers.some(({ options: { staleTime } }) => staleTime !== Number.POSITIVE_INFINITY)

const withoutAbsent = (search: Readonly<Record<string, string | undefined>>): Search =>
  Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
