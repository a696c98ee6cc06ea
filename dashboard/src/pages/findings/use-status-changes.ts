// Changes of status are shown at once, sent behind that, and can be taken back for some seconds.
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import type { Status } from './list-search.ts'
import { type Finding, findingKey, findingListsKey, findingsKey } from './queries.ts'

/** What was done last, with what it takes to undo it. */
export type Done = { readonly to: Status; readonly before: ReadonlyMap<string, Status> }

export type StatusChanges = {
  /** Findings whose change the service has not confirmed yet. */
  readonly changing: ReadonlyMap<string, Status>
  readonly done: Done | null
  /** Why a change did not hold; its rows are back. */
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
  // One after another: an undo must not overtake what it undoes.
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
          // A later change of the same finding is still under way.
          setChanging((now) => (now.get(id) === to ? without(now, id) : now))
        })
      }
      queue.current = queue.current.then(() => refresh(client, workspaceId))
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

/** In every list that holds the finding: the page leaves those out that no longer belong there. */
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

/** Counts are asked for anew; lists when they are shown next, since what is shown is right already. */
async function refresh(client: QueryClient, workspaceId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: findingsKey(workspaceId), refetchType: 'none' })
  await client.refetchQueries({ queryKey: [...findingsKey(workspaceId), 'summary'], type: 'active' })
}

function without(map: ReadonlyMap<string, Status>, id: string): ReadonlyMap<string, Status> {
  const left = new Map(map)
  left.delete(id)
  return left
}
