// The loaded part of the list of spans that the URL selects.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, dataOf } from '../../api/client.ts'
import type { SpanEvent } from '../../events/columns.tsx'
import { readEventSearch } from '../../events/filters.ts'
import { type ReadPage, usePinnedList } from '../../list/use-pinned-list.ts'
import type { Search } from '../../window/index.ts'

const pageEvents = 100

export function useEventList(workspaceId: string) {
  const search: Search = useSearch({ strict: false })
  const { filters, cols, ignored } = useMemo(() => readEventSearch(search), [search])
  const { range, from_time: from, to_time: to } = search
  const key = JSON.stringify({ range, from, to, ...filters })
  const read: ReadPage<SpanEvent> = (bounds, limit, cursor, signal) =>
    dataOf(
      api.GET('/v1/workspaces/{workspace_id}/events', {
        params: {
          path: { workspace_id: workspaceId },
          query: {
            ...filters,
            from_time: bounds.from,
            to_time: bounds.to,
            limit,
            ...(cursor === null ? {} : { cursor }),
          },
        },
        signal,
      }),
    )
  const list = usePinnedList({
    name: 'event-list',
    workspaceId,
    search: key,
    pageRows: pageEvents,
    isByTime: true,
    idOf: ({ id }) => id,
    read,
  })
  return { ...list, filters, cols, ignored }
}
