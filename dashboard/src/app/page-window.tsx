// The window of time of the page. A preset is resolved once a refresh, so that all panels of a page show the same window.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useZone } from '../ui/zone.ts'
import { readWindow, type Search, type Target, type TimeWindow, writeWindow } from '../window/index.ts'
import { usePageFacts } from './frame/Breadcrumb.tsx'

export type PageWindow = {
  readonly window: TimeWindow
  /** The clock of the page: the end of a preset. */
  readonly nowMs: number
  /** Moves a preset to now; all panels ask again. */
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
  const isAsked = useRef(false)
  const refresh = useCallback(() => {
    isAsked.current = true
    setNowMs(Date.now())
  }, [])
  const { range, from_time: from, to_time: to } = search
  const window = useMemo(
    () => readWindow(withoutAbsent({ range, from_time: from, to_time: to }), nowMs, zone),
    [range, from, to, nowMs, zone],
  )
  const isLive = window.preset !== null
  useRefetch(nowMs, isAsked)

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

/** What is of no window is asked for again with each tick of the clock, as what is of a window is. `isAsked`: by a person, for all of it. */
function useRefetch(nowMs: number, isAsked: RefObject<boolean>): void {
  const client = useQueryClient()
  const { hasWindow } = usePageFacts()
  const lastMs = useRef(nowMs)
  useEffect(() => {
    if (lastMs.current === nowMs) return
    lastMs.current = nowMs
    const isWhole = isAsked.current
    isAsked.current = false
    if (!hasWindow) return
    const predicate = (query: Query): boolean => isRefreshed(query) && (isWhole || query.isStale())
    // What is of the new window is under way already, since effects of the panels come first.
    void client.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false })
  }, [client, hasWindow, nowMs, isAsked])
}

/** Lists whose rows stay as they were read are not, nor is a trace, which can be megabytes. */
const isRefreshed = ({ queryKey: [name], observers }: Query): boolean =>
  name !== 'trace' && observers.some(({ options: { staleTime } }) => staleTime !== Number.POSITIVE_INFINITY)

const withoutAbsent = (search: Readonly<Record<string, string | undefined>>): Search =>
  Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
