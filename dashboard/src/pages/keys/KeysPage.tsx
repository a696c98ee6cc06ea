// The page of API keys: the live ones with their last use, and the revoked ones.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { NotAllowed } from '../../app/NotAllowed.tsx'
import { useMissingRole, useOrg } from '../../app/use-role.ts'
import { Button, Empty, Page, Panel } from '../../ui/index.ts'
import { KeyTable } from './KeyTable.tsx'
import { type Key, partKeys } from './key-facts.ts'
import styles from './keys.module.css'
import { MintDialog } from './MintDialog.tsx'
import { keysQuery } from './queries.ts'
import { RevokeDialog } from './RevokeDialog.tsx'

const route = getRouteApi('/w/$workspace_id/keys')

export function KeysPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const keys = useInfiniteQuery(keysQuery(workspaceId))
  const [isMinting, setMinting] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const missingRole = useMissingRole(workspaceId, 'admin')
  const orgId = useOrg(workspaceId)?.id ?? null
  // Without a key, its empty state has the button.
  const hasLive = partKeys(keys.data?.pages.flat() ?? []).live.length > 0
  const mint = (
    <Button variant="primary" unavailable={missingRole} onClick={() => setMinting(true)}>
      New key
    </Button>
  )
  return (
    <Page title="Keys" actions={hasLive && mint}>
      <p className={styles.lead}>
        Agents and proxies send an API key with their spans. The service keeps only a hash of it: a key is shown once,
        when it is created.
      </p>
      <Panel<InfiniteData<Key[]>>
        title="API keys"
        query={keys}
        height={72}
        empty={({ pages }) =>
          pages.flat().length === 0 ? (
            <NoKey mint={mint} missingRole={missingRole} orgId={orgId}>
              This workspace has no key yet.
            </NoKey>
          ) : null
        }
      >
        {({ pages }) => {
          const { live, revoked } = partKeys(pages.flat())
          return (
            <>
              {live.length === 0 ? (
                <NoKey mint={mint} missingRole={missingRole} orgId={orgId}>
                  No key works: all of them are revoked.
                </NoKey>
              ) : (
                <KeyTable label="Keys that work" keys={live} missingRole={missingRole} onRevoke={setRevoking} />
              )}
              {revoked.length > 0 && (
                <details className={styles.revoked}>
                  <summary>{revoked.length} revoked</summary>
                  <KeyTable label="Revoked keys" keys={revoked} missingRole={missingRole} onRevoke={null} />
                </details>
              )}
            </>
          )
        }}
      </Panel>
      {keys.hasNextPage && (
        <p>
          <Button
            unavailable={keys.isFetchingNextPage ? 'Loading…' : undefined}
            onClick={() => void keys.fetchNextPage()}
          >
            {keys.isFetchingNextPage ? 'Loading…' : 'Load older keys'}
          </Button>
        </p>
      )}
      {isMinting && <MintDialog workspaceId={workspaceId} onClose={() => setMinting(false)} />}
      {revoking !== null && (
        <RevokeDialog workspaceId={workspaceId} apiKey={revoking} onClose={() => setRevoking(null)} />
      )}
    </Page>
  )
}

type NoKeyProps = {
  readonly mint: ReactNode
  readonly missingRole: string | undefined
  readonly orgId: string | null
  readonly children: ReactNode
}

/** The empty state of a workspace without a live key. */
function NoKey({ mint, missingRole, orgId, children }: NoKeyProps) {
  if (missingRole === undefined) return <Empty action={mint}>{children}</Empty>
  return (
    <NotAllowed reason={missingRole} orgId={orgId}>
      {children}
    </NotAllowed>
  )
}
