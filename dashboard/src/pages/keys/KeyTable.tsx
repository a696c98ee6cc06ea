import { Badge, Button, type Column, Table, Time } from '../../ui/index.ts'
import { findIdleness, type Key } from './key-facts.ts'

type Props = {
  readonly label: string
  readonly keys: readonly Key[]
  readonly missingRole: string | undefined
  /** Null: the keys are already revoked. */
  readonly onRevoke: ((key: Key) => void) | null
}

export function KeyTable({ label, keys, missingRole, onRevoke }: Props) {
  const nowMs = Date.now()
  const columns: readonly Column<Key>[] = [
    { key: 'name', header: 'Name', cell: ({ name }) => name },
    { key: 'prefix', header: 'Begins with', cell: ({ key_prefix: prefix }) => <code>{prefix}</code> },
    { key: 'created', header: 'Created', cell: ({ created_at: time }) => <Time time={time} isRelative /> },
    { key: 'used', header: 'Last used', cell: (key) => <LastUse apiKey={key} nowMs={nowMs} /> },
    { key: 'state', header: 'State', cell: (key) => <State apiKey={key} /> },
    ...(onRevoke === null ? [] : [makeRevokeColumn(missingRole, onRevoke)]),
  ]
  return <Table label={label} columns={columns} rows={keys} rowKey={({ id }) => id} />
}

const makeRevokeColumn = (missingRole: string | undefined, onRevoke: (key: Key) => void): Column<Key> => ({
  key: 'revoke',
  header: <span className="visually-hidden">Revoke</span>,
  isNumber: true,
  cell: (key) => (
    <Button variant="danger" unavailable={missingRole} aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
      Revoke
    </Button>
  ),
})

function LastUse({ apiKey, nowMs }: { readonly apiKey: Key; readonly nowMs: number }) {
  const { last_used_at: used } = apiKey
  const idleness = apiKey.revoked_at === null ? findIdleness(apiKey, nowMs) : null
  return (
    <>
      {used === null ? 'never' : <Time time={used} isRelative />}{' '}
      {idleness !== null && <Badge tone="warning">{idleness}</Badge>}
    </>
  )
}

function State({ apiKey: { revoked_at: revoked } }: { readonly apiKey: Key }) {
  if (revoked === null) return <Badge tone="good">works</Badge>
  return (
    <>
      <Badge>revoked</Badge> <Time time={revoked} isRelative />
    </>
  )
}
