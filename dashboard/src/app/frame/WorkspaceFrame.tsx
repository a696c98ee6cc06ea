// The frame around the pages of one workspace.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { NotFound } from '../../ui/index.ts'
import { writePreference } from '../preferences.ts'
import { workspacesQuery } from '../queries.ts'
import { Frame } from './Frame.tsx'

const route = getRouteApi('/w/$workspace_id')

export function WorkspaceFrame() {
  const { workspace_id: workspaceId } = route.useParams()
  const { data: workspaces } = useQuery(workspacesQuery)
  // The page sends no requests about a workspace until the list of workspaces contains it.
  const isKnown = workspaces?.some(({ id }) => id === workspaceId) === true
  useEffect(() => {
    if (isKnown) writePreference('workspace', workspaceId)
  }, [isKnown, workspaceId])
  return <Frame workspaceId={workspaceId}>{isKnown ? <Outlet /> : <NotFound />}</Frame>
}
