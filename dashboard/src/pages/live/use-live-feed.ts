// The stream of the page. Responses are collected and shown four times a second at most, however many arrive.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import type { SpanEvent } from '../../events/columns.tsx'
import type { readEventSearch } from '../../events/filters.ts'
import { emptyFeed, type Feed, fillFeed, receive, release, tick, withoutRows } from './feed.ts'
import { followTail } from './follow-tail.ts'

type Filters = ReturnType<typeof readEventSearch>['filters']
type Live = {
  readonly feed: Feed<SpanEvent>
  readonly fault: unknown
  /** Why the spans from before the start of the stream are missing. The stream goes on without them, until a retry. */
  readonly fillFault: unknown
  readonly isOpen: boolean
  /** Whether the spans from before the start of the stream are in the feed, or could not be loaded. */
  readonly isFilled: boolean
}

const waitS = 25
const showMs = 250
const earlierRows = 50
const connecting = { fault: null, fillFault: null, isOpen: false, isFilled: false }

const readTail = (workspaceId: string, filters: Filters, cursor: string | null, signal: AbortSignal) =>
  dataOf(
    api.GET('/v1/workspaces/{workspace_id}/events/tail', {
      params: {
        path: { workspace_id: workspaceId },
        query: { ...filters, ...(cursor === null ? {} : { cursor, wait: waitS }) },
      },
      signal,
    }),
  )

const readEarlier = (workspaceId: string, filters: Filters, signal: AbortSignal) =>
  dataOf(
    api.GET('/v1/workspaces/{workspace_id}/events', {
      params: { path: { workspace_id: workspaceId }, query: { ...filters, limit: earlierRows } },
      signal,
    }),
  )

const pause = async (ms: number): Promise<void> => await new Promise((done) => setTimeout(done, ms))

/** `filters`: as JSON, so that equal filters do not start a new stream. */
export function useLiveFeed(workspaceId: string, filters: string, isPaused: boolean) {
  const [live, setLive] = useState<Live>(() => ({ feed: emptyFeed(Date.now()), ...connecting }))
  const [runs, setRuns] = useState(0)
  const fillAgain = useRef<() => void>(() => undefined)
  const feed = useRef(live.feed)
  const state = useRef<Omit<Live, 'feed'>>(connecting)
  const show = useEffectEvent(() => {
    feed.current = tick(isPaused ? feed.current : release(feed.current), Date.now())
    setLive((before) => {
      const next = { feed: feed.current, ...state.current }
      const isSame = (Object.keys(next) as (keyof Live)[]).every((name) => before[name] === next[name])
      return isSame ? before : next
    })
  })
  const take = useEffectEvent((items: readonly SpanEvent[], skipped: number) => {
    // Rows always wait first. Whether the page is paused is checked when it shows rows, not when they arrive, so that
    // a row under the pointer stays.
    feed.current = receive(feed.current, { items, skipped }, true, Date.now())
  })
  useEffect(() => {
    const chosen = JSON.parse(filters) as Filters
    const ending = new AbortController()
    feed.current = emptyFeed(Date.now())
    state.current = connecting
    const fail = (fault: unknown): void => {
      state.current = { ...state.current, fault }
    }
    const fill = async (): Promise<void> => {
      let fillFault: unknown = null
      try {
        const { items } = await readEarlier(workspaceId, chosen, ending.signal)
        if (!ending.signal.aborted) feed.current = fillFeed(feed.current, items)
      } catch (error) {
        fillFault = error
      }
      if (!ending.signal.aborted) state.current = { ...state.current, fillFault, isFilled: true }
    }
    fillAgain.current = () => {
      // Null until the next attempt has failed too: a second click meanwhile requests nothing.
      if (state.current.fillFault === null) return
      state.current = { ...state.current, fillFault: null, isFilled: false }
      void fill()
    }
    void followTail(
      {
        read: (cursor, signal) => readTail(workspaceId, chosen, cursor, signal),
        onAnswer({ items, skipped }) {
          // Earlier spans are read after the start of the stream is known, so that no span is missed in between.
          if (!state.current.isOpen) void fill()
          state.current = { ...state.current, fault: null, isOpen: true }
          take(items, skipped)
        },
        onLost() {
          feed.current = withoutRows(feed.current)
          state.current = { ...state.current, isOpen: false, isFilled: false }
        },
        onFault: fail,
        sleep: pause,
      },
      ending.signal,
    )
    const timer = setInterval(() => show(), showMs)
    return () => {
      clearInterval(timer)
      ending.abort()
    }
  }, [workspaceId, filters, runs])
  /** Restarts a stream that failed. One that works keeps its rows, and only what is missing from before its start is read again. */
  const retry = useCallback(
    () => (state.current.fault === null ? fillAgain.current() : setRuns((before) => before + 1)),
    [],
  )
  return { ...live, retry }
}
