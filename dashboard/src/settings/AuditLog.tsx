// The audit log of an organization or a workspace, newest first, loaded page by page.
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { NotAllowed } from '../app/NotAllowed.tsx'
import { explainMissing, type Role } from '../app/roles.ts'
import { missing, shortId } from '../format/index.ts'
import { AsApi } from '../list/AsApi.tsx'
import { MissingValues } from '../list/MissingValues.tsx'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { Button, type Column, CopyButton, Empty, Link, Panel, Table, Time, useZone } from '../ui/index.ts'
import { describeIgnored, type Search } from '../window/index.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { readAuditSearch, toAuditQuery } from './audit-search.ts'
import { type AuditLine, linkTarget, listDetail, nameAction, nameActor, nameTarget } from './audit-words.ts'
import { membersQuery } from './org-queries.ts'
import styles from './settings.module.css'

type Page = Schemas['AuditPage']
type Props = {
  readonly of: 'org' | 'workspace'
  /** The id of the organization or workspace that the log belongs to. */
  readonly id: string
  readonly orgId: string
  readonly role: Role
}

const pageLength = 50
const recorded = {
  workspace: 'What people changed in this workspace.',
  org: 'What people changed in this organization and its workspaces, and their sign-ins.',
} as const
const noFilters = { actor: null, action: null, range: null, from_time: null, to_time: null }
export function AuditLog(props: Props) {
  const missingRole = explainMissing(props.role, 'admin')
  return missingRole === undefined ? (
    <AllowedLog {...props} />
  ) : (
    <NotAllowed reason={missingRole} orgId={props.orgId}>
      The audit log says who did what, and from where.
    </NotAllowed>
  )
}

function AllowedLog({ of, id, orgId }: Props) {
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const zone = useZone()
  const change = useChangeSearch({ isStep: true })
  const members = useQuery(membersQuery(orgId))
  const [openedAtMs] = useState(() => Date.now())
  const wanted = readAuditSearch(search, openedAtMs, zone)
  const asked = toAuditQuery(wanted)
  const lines = useInfiniteQuery({
    queryKey: ['audit', of, id, asked],
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...asked,
        limit: pageLength,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }
      return of === 'org'
        ? dataOf(api.GET('/v1/orgs/{org_id}/audit', { params: { path: { org_id: id }, query }, signal }))
        : dataOf(
            api.GET('/v1/workspaces/{workspace_id}/audit', { params: { path: { workspace_id: id }, query }, signal }),
          )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  })
  const note = describeIgnored(wanted.ignored)
  const isFiltered = Object.keys(asked).length > 0
  return (
    <>
      <p className={styles.lead}>
        {recorded[of]} Reading is not recorded, except exports. The changes of a rule by the service, and the reasons of
        all changes, are in the audit trail on the page of the rule, under{' '}
        {of === 'workspace' ? <Link to="/w/$workspace_id/decisions">Decisions</Link> : 'Decisions'}. Entries are kept
        for 400 days and cannot be changed or removed.
      </p>
      {note !== null && <p role="status">{note}</p>}
      <AuditFilters wanted={wanted} members={members.data} onChange={change}>
        {of === 'workspace' && <AsApi path="audit" workspaceId={id} query={asked} />}
      </AuditFilters>
      <MissingValues queries={{ Person: members }} />
      <Panel<InfiniteData<Page>>
        title="Lines"
        isTitled={false}
        query={lines}
        height={72}
        empty={({ pages }) =>
          pages.every(({ items }) => items.length === 0) ? (
            <Empty action={isFiltered && <Button onClick={() => change(noFilters)}>Clear the filters</Button>}>
              {isFiltered ? 'No entry matches the filters.' : 'Nothing has been done here yet.'}
            </Empty>
          ) : null
        }
      >
        {({ pages }) => (
          <Table
            label="Audit log, newest first"
            columns={columns}
            rows={pages.flatMap(({ items }) => items)}
            rowKey={({ id: lineId }) => lineId}
          />
        )}
      </Panel>
      {lines.hasNextPage && (
        <p>
          <Button
            unavailable={lines.isFetchingNextPage ? 'Loading…' : undefined}
            onClick={() => void lines.fetchNextPage()}
          >
            {lines.isFetchingNextPage ? 'Loading…' : 'Load older entries'}
          </Button>
        </p>
      )}
    </>
  )
}

const columns: readonly Column<AuditLine>[] = [
  {
    key: 'what',
    header: 'What',
    isSentence: true,
    cell: (line) => (
      <>
        <span title={line.action}>{nameAction(line.action)}</span>
        <Target line={line} />
        <span className={styles.detail}>{listDetail(line)}</span>
      </>
    ),
  },
  { key: 'time', header: 'Time', cell: ({ at }) => <Time time={at} precision="s" /> },
  { key: 'who', header: 'Who', cell: nameActor },
  { key: 'ip', header: 'From', cell: ({ ip_prefix: prefix }) => prefix ?? '—' },
  { key: 'target', header: 'Target', cell: ({ target }) => <ShortId id={target} label="Copy the id of the target" /> },
  { key: 'request', header: 'Request', cell: ({ request_id: id }) => <ShortId id={id} label="Copy the request id" /> },
]

function Target({ line }: { readonly line: AuditLine }) {
  const name = nameTarget(line)
  if (name === null) return null
  const link = linkTarget(line)
  return <span>: {link === null ? name : <Link {...link}>{name}</Link>}</span>
}

function ShortId({ id, label }: { readonly id: string | null; readonly label: string }) {
  if (id === null) return missing
  return (
    <span className={styles.id}>
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} label={label} />
    </span>
  )
}
