// The parts of a local cluster as a table for people.
import type { Part, Status } from './_part.ts'

type Told = {
  readonly part: Pick<Part, 'name' | 'role' | 'baseUrl' | 'metricsUrl' | 'pid'>
  readonly status: Status | null
}

const columns = ['part', 'pid', 'url', 'state', 'partitions', 'epochs', 'echo ms', 'db ms', 'lag ms', 'MiB'] as const
type Row = Readonly<Record<(typeof columns)[number], string>>

/** Returns one line for each part, and one that names partitions without an owner or with two. */
export function writeTable(statuses: readonly Told[]): string {
  const rows = statuses.map(writeRow)
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)))
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const lines = [write(columns), ...rows.map((row) => write(columns.map((name) => row[name])))]
  return `${lines.join('\n')}\n${countOwners(statuses)}\n`
}

function writeRow({ part, status }: Told): Row {
  const { actor = null, front = null } = status ?? {}
  const pid = status?.pid ?? part.pid()
  const epochs = actor?.owned.map(([, epoch]) => epoch) ?? []
  return {
    part: part.name,
    pid: pid === null ? '-' : String(pid),
    url: part.role === 'front' ? part.baseUrl : part.metricsUrl,
    state: tellState(status, pid),
    partitions: front === null ? String(actor?.owned.length ?? '') : `${front.routes_known} known`,
    epochs: epochs.length === 0 ? '' : `${Math.min(...epochs)}..${Math.max(...epochs)}`,
    'echo ms': String(actor?.echo_age_ms ?? ''),
    'db ms': String(actor?.database_age_ms ?? ''),
    'lag ms': String(status?.event_loop_lag_ms ?? ''),
    MiB: status === null ? '' : String(Math.round(status.rss_bytes / 1_048_576)),
  }
}

function tellState(status: Status | null, pid: number | null): string {
  if (status === null) return pid === null ? 'stopped' : 'no answer'
  const { actor, front } = status
  if (actor?.fence != null) return `fenced (${actor.fence})`
  if (actor !== null) return actor.ready ? 'owns' : 'settles in'
  return front !== null && front.breakers_open > 0 ? `serves, ${front.breakers_open} breakers open` : 'serves'
}

function countOwners(statuses: readonly Told[]): string {
  const owners = new Map<number, number>()
  for (const { status } of statuses)
    for (const [pid] of status?.actor?.owned ?? []) owners.set(pid, (owners.get(pid) ?? 0) + 1)
  const twice = [...owners.values()].filter((count) => count > 1).length
  return `${owners.size} of 128 partitions owned${twice === 0 ? '' : `, ${twice} by two (one of them is fenced or leaves)`}`
}
