// The frame of a settings page of an organization, for its members.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Org } from '../../api/client.ts'
import { meQuery } from '../../app/queries.ts'
import { ErrorNote, NotFound, Page } from '../../ui/index.ts'

export function OrgPage({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: (org: Org) => ReactNode
  readonly children: (org: Org, userId: string) => ReactNode
}) {
  const { org_id: orgId } = useParams({ strict: false })
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me === undefined) {
    return <Page title={title}>{error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}</Page>
  }
  const org = me.orgs.find(({ id }) => id === orgId)
  if (org === undefined) return <NotFound />
  return (
    <Page title={title} tabTitle={`${title} · ${org.name}`} actions={actions?.(org)}>
      {children(org, me.user.id)}
    </Page>
  )
}
