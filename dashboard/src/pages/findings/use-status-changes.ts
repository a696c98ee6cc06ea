// Optimistic changes of status: they are shown at once, sent in the background, and can be undone for some seconds.
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import type { Status } from './list-search.ts'
import { type Finding, findingKey, findingListsKey, findingsKey } from './queries.ts'

/** The last change, with the previous statuses that undo it. */
export type Done = { readonly to: Status; readonly before: ReadonlyMap<string, Status> }

export type StatusChanges = {
  /** Findings whose change the service has not confirmed yet. */
  readonly changing: ReadonlyMap<string, Status>
  readonly done: Done | null
  /** The error of a change that failed; its rows have their previous status again. */
  readonly error: unknown
  readonly change: (findings: readonly Pick<Finding, 'id' | 'status'>[], to: Status) => void
  readonly undo: () => void
  /** Undo is no longer offered. */
  readonly forget: () => void
}

export function useStatusChanges(workspaceId: string): StatusChanges {
  const client = useQueryClient()
  const [changing, setChanging] = useState<ReadonlyMap<string, Status>>(new Map())
  const [done, setDone] = useState<Done | null>(null)
  const [error, setError] = useState<unknown>(null)
  // Requests are sent one after another: an undo must not overtake the change that it undoes.
  const queue = useRef(Promise.resolve())

  const send = useCallback(
    (targets: ReadonlyMap<string, Status>): void => {
      setError(null)
      setChanging((before) => new Map([...before, ...targets]))
      for (const [id, to] of targets) {
        queue.current = queue.current.then(async () => {
          try {
            keepAnswer(client, workspaceId, await patch(workspaceId, id, to))
          } catch (failure) {
            setError(failure)
            setDone(null)
          }
          // If a later change of the same finding is still in flight, its status stays.
          setChanging((now) => (now.get(id) === to ? without(now, id) : now))
        })
      }
      // Later changes do not wait for the counts, which may take long or fail.
      queue.current = queue.current.then(() => void refresh(client, workspaceId))
    },
    [client, workspaceId],
  )

  const change = useCallback<StatusChanges['change']>(
    (findings, to) => {
      const moved = findings.filter(({ status }) => status !== to)
      if (moved.length === 0) return
      setDone({ to, before: new Map(moved.map(({ id, status }) => [id, status])) })
      send(new Map(moved.map(({ id }) => [id, to])))
    },
    [send],
  )
  const undo = useCallback(() => {
    if (done === null) return
    setDone(null)
    send(done.before)
  }, [done, send])
  return { changing, done, error, change, undo, forget: useCallback(() => setDone(null), []) }
}

const patch = (workspaceId: string, findingId: string, status: Status): Promise<Finding> =>
  dataOf(
    api.PATCH('/v1/workspaces/{workspace_id}/findings/{finding_id}', {
      params: { path: { workspace_id: workspaceId, finding_id: findingId } },
      body: { status },
    }),
  )

/** Updates the finding in every list that contains it. The page filters out findings that no longer match. */
function keepAnswer(client: QueryClient, workspaceId: string, answer: Finding): void {
  client.setQueryData(findingKey(workspaceId, answer.id), answer)
  client.setQueriesData<InfiniteData<Schemas['FindingPage']>>(
    { queryKey: findingListsKey(workspaceId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (item.id === answer.id ? answer : item)),
        })),
      },
  )
}

/** Refetches the counts. Lists are only marked as stale, and refetched when they are shown next: the shown rows are already correct. */
async function refresh(client: QueryClient, workspaceId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: findingsKey(workspaceId), refetchType: 'none' })
  await client.refetchQueries({ queryKey: [...findingsKey(workspaceId), 'summary'], type: 'active' })
}

function without(map: ReadonlyMap<string, Status>, id: string): ReadonlyMap<string, Status> {
  const left = new Map(map)
  left.delete(id)
  return left
}
