// The frame around the pages that belong to no workspace. The rail leads back to the workspace that the user came from.
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { usePreference } from '../preferences.ts'
import { workspacesQuery } from '../queries.ts'
import { chooseWorkspace } from './choose-workspace.ts'
import { Frame } from './Frame.tsx'

export function OutsideFrame() {
  const { org_id: orgId } = useParams({ strict: false })
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const workspace = chooseWorkspace(workspaces, usePreference('workspace'), orgId)
  return (
    <Frame workspaceId={workspace?.id ?? null}>
      <Outlet />
    </Frame>
  )
}
