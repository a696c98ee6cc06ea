// The queries for the members and invites of an organization.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'

/** The most rows in one response of the API. This is also the most invites that may be open at a time. */
export const mostMembers = 200

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['members', orgId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/orgs/{org_id}/members', {
          params: { path: { org_id: orgId }, query: { limit: mostMembers } },
          signal,
        }),
      ),
    staleTime: 30_000,
  })

export const invitesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['invites', orgId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/orgs/{org_id}/invites', {
          params: { path: { org_id: orgId }, query: { limit: mostMembers } },
          signal,
        }),
      ),
  })
