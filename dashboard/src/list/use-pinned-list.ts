// A list that is paged by cursor. Its window is pinned when it is first read, so that rows do not move. Rows that arrive later are
// counted, and shown on request (`Fresh`).
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import type { Bounds } from '../window/index.ts'

export type Page<Row> = { readonly items: readonly Row[]; readonly next_cursor: string | null }

export type ReadPage<Row> = (
  bounds: Bounds,
  limit: number,
  cursor: string | null,
  signal: AbortSignal,
) => Promise<Page<Row>>

/** The most rows that one response contains. */
const maxNew = 200
/** A row is sent when the work that it describes has ended, so new rows are searched for from this long before the pinned end. */
const latestMs = 3_600_000
/** With filters that match rarely, pages can be empty. `loadMore` requests at most this many pages per call. */
const mostEmptyPages = 10

type Options<Row> = {
  /** The name of the list in the cache: "trace-list". */
  readonly name: string
  readonly workspaceId: string
  /** The part of the URL that determines the content of the list. */
  readonly search: string
  readonly pageRows: number
  /** Whether the newest rows come first. */
  readonly isByTime: boolean
  readonly idOf: (row: Row) => string
  readonly read: ReadPage<Row>
}

export function usePinnedList<Row extends { readonly start_time: string }>(options: Options<Row>) {
  const { name, workspaceId, search, pageRows, isByTime, idOf, read } = options
  const client = useQueryClient()
  const { window } = usePageWindow()
  const pinKey = [`${name}-window`, workspaceId, search]
  const { data: pin } = useQuery<Bounds>({
    queryKey: pinKey,
    queryFn: () => ({ from: window.from, to: window.to }),
    initialData: () => ({ from: window.from, to: window.to }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const query = useInfiniteQuery({
    queryKey: [name, workspaceId, search, pin],
    queryFn: ({ pageParam, signal }) => read(pin, pageRows, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const isMoving = window.preset !== null && window.to > pin.to
  const fresh = useQuery({
    queryKey: [`${name}-new`, workspaceId, search, pin.to, window.to],
    queryFn: ({ signal }) => read({ from: isByTime ? findFrom(pin) : pin.to, to: window.to }, maxNew, null, signal),
    enabled: isMoving && query.isSuccess,
    placeholderData: (before) => before,
  })
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const known = {
    ids: new Set(items.map(idOf)),
    last: items.at(-1),
    isWhole: !query.hasNextPage,
    toMs: Date.parse(pin.to),
  }
  return {
    query,
    items,
    pin,
    /** The search for new rows. While it fails, nobody knows whether there are any. */
    fresh,
    news:
      isMoving && fresh.data !== undefined
        ? countNew(fresh.data, known, idOf)
        : { ...none, isKnown: fresh.error === null },
    /** Pins the current window, and reads the list again. */
    renew: (): void => {
      if (pin.from === window.from && pin.to === window.to) void query.refetch()
      else client.setQueryData(pinKey, { from: window.from, to: window.to })
    },
    /** Loads the next page that is not empty, and returns all rows loaded so far. A call during another one shares its request. */
    loadMore: async (): Promise<readonly Row[]> => {
      let [rows, hasMore] = [items, query.hasNextPage]
      for (let page = 0; page < mostEmptyPages && hasMore && rows.length === items.length; page += 1) {
        const { data, hasNextPage, isFetchNextPageError } = await query.fetchNextPage({ cancelRefetch: false })
        rows = data?.pages.flatMap((each) => each.items) ?? rows
        hasMore = hasNextPage && !isFetchNextPageError
      }
      return rows
    },
  }
}

/** The rows that have arrived since the list was read. `isLeast`: there may be more than `count`. */
export type News = { readonly count: number; readonly isLeast: boolean; readonly isKnown: boolean }

const none: News = { count: 0, isLeast: false, isKnown: true }

const findFrom = ({ from, to }: Bounds): string =>
  new Date(Math.max(Date.parse(from), Date.parse(to) - latestMs)).toISOString()

type Known<Row> = {
  readonly ids: ReadonlySet<string>
  /** The last row that is loaded. Rows that start before it belong to the next page. */
  readonly last: Row | undefined
  readonly isWhole: boolean
  /** The end of the window of the list. */
  readonly toMs: number
}

function countNew<Row extends { readonly start_time: string }>(
  { items, next_cursor: next }: Page<Row>,
  { ids, last, isWhole, toMs }: Known<Row>,
  idOf: (row: Row) => string,
): News {
  const startOf = (row: Row): number => Date.parse(row.start_time)
  const fromMs = isWhole || last === undefined ? Number.NEGATIVE_INFINITY : startOf(last)
  const count = items.filter((row) => !ids.has(idOf(row)) && (startOf(row) >= toMs || startOf(row) > fromMs)).length
  // There is a further page, and this one did not reach the rows of the list: the further page may have new rows too.
  const isLeast = next !== null && items.every((row) => startOf(row) >= toMs)
  return { count, isLeast, isKnown: true }
}
