// The effects of a migration on concurrent processes, derived from its statements: what it takes from older code, and what it blocks.
import { chooseStatements } from '../../src/store/split-sql.ts'

/**
 * `takes`: older code may use the object or the ability. `blocks`: others wait for a time that grows with a table. `fails`: PostgreSQL or
 * TimescaleDB refuses the statement.
 */
export type Risk = { readonly kind: 'takes' | 'blocks' | 'fails'; readonly what: string; readonly object: string }

// Tables that TimescaleDB cuts into chunks, if it is installed.
const chunked = ['events', 'payload_blocks', 'tool_results']
// Tables that grow with traffic.
const counted = ['rollups', 'rollup_deltas', 'scope_counts', 'scope_deltas']
const large = new Set([...chunked, ...counted, 'traces', 'agents', 'commits', 'dropped_spans'])

type ActionRule = readonly [pattern: RegExp, kind: Risk['kind'], what: string]

const volatileDefault =
  /\bdefault (?!now\(\)|current_|\()[\w.]+ ?\(|\bdefault \(|\bgenerated always as \((?!.* virtual)|serial\b|\bas identity\b/
const addsConstraint = /^add (?:constraint \S+ )?(?:check|unique|primary key|foreign key|exclude)\b/

/** Rules for one action of `alter table`. The first group is the affected part of the table. */
const actionRules: readonly ActionRule[] = [
  [/^drop constraint (?:if exists )?(\S+)/, 'takes', 'drops a constraint'],
  [/^drop (?:column )?(?:if exists )?(?!constraint )(\S+)/, 'takes', 'drops a column'],
  [/^alter (?:column )?(\S+) drop (?:default|identity|expression)/, 'takes', 'drops a default'],
  [/^alter (?:column )?(\S+) drop not null/, 'takes', 'lets a column be null'],
  [/^alter (?:column )?(\S+) set not null/, 'takes', 'sets a column not null'],
  [/^alter (?:column )?(\S+) (?:set data )?type /, 'takes', 'changes a type'],
  [/^rename (?:column |constraint )?(?!to )(\S+) to /, 'takes', 'renames'],
  [/^rename to /, 'takes', 'renames'],
  [/^set schema /, 'takes', 'moves to another schema'],
  [/^(?:enable|force) row level security/, 'takes', 'hides rows'],
  [/^detach partition /, 'takes', 'detaches a partition'],
  [/^add (?:constraint (\S+) )?(?:check|unique|primary key|foreign key|exclude)\b/, 'takes', 'adds a constraint'],
  [/^add (?:constraint (\S+) )?(?:check|foreign key)\b(?!.* not valid)/, 'blocks', 'checks every row'],
  [/^add (?:constraint (\S+) )?(?:unique|primary key|exclude)\b(?!.* using index)/, 'blocks', 'builds an index'],
  [/^set (?:tablespace|logged|unlogged|access method)\b/, 'blocks', 'writes a table anew'],
]

const statementRules: readonly ActionRule[] = [
  [/^truncate (?:table )?(?:only )?(\S+)/, 'takes', 'empties a table'],
  [/^delete from (?:only )?(\S+)/, 'takes', 'removes rows'],
  [/^revoke .* on (?:table )?(\S+)/, 'takes', 'takes privileges away'],
  [/^create policy \S+ on (\S+)/, 'takes', 'hides rows'],
  [
    /^alter (?!table )(?:materialized view|foreign table|\w+) (?:if exists )?(\S+) .*\b(?:rename|set schema)\b/,
    'takes',
    'renames',
  ],
  [/^alter domain (\S+) (?!.*\brename\b)/, 'takes', 'adds a constraint'],
  [/^lock (?:table )?(?:only )?(\S+)/, 'blocks', 'locks a table'],
  [/^(?:cluster|vacuum full|vacuum \(.*full.*\)) (\S+)/, 'blocks', 'writes a table anew'],
  [/^(?:reindex|refresh materialized view)\b(?!.* concurrently)(?:.* )?(\S+)/, 'blocks', 'builds an index'],
  // The statements inside a block cannot be analyzed.
  [/^do\b.*\b(alter|drop|rename|truncate|delete|update|revoke|index|execute)\b/, 'takes', 'hides in a block'],
]

/** Returns every risk of a file, with and without chunked events, except for tables that it creates itself. */
export function findRisks(sql: string): Risk[] {
  const plain = findIn(sql, false)
  const isKnown = (risk: Risk): boolean => plain.some((one) => one.what === risk.what && one.object === risk.object)
  return [...plain, ...findIn(sql, true).filter((risk) => !isKnown(risk))]
}

function findIn(sql: string, isChunked: boolean): Risk[] {
  const statements = chooseStatements(sql, isChunked).map(normalize)
  const made = new Set(
    statements.flatMap((one) => /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(one)?.[1] ?? []),
  )
  const risks = statements.flatMap((statement, at) => [
    ...findInTable(statement),
    ...findInIndex(statement, statements.slice(0, at), sql.startsWith('-- no-transaction'), isChunked),
    ...findInDrop(statement, statements.slice(at + 1)),
    ...match(statement, statementRules, ''),
    ...findInUpdate(statement),
  ])
  return risks.filter(({ object }) => !made.has(object.split('.')[0] ?? ''))
}

/** Returns one line in lower case, with unquoted names and empty literals. A block keeps its words, since it runs at once. */
function normalize(statement: string): string {
  const bare = /^do\b/i.test(statement) ? statement : statement.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$')
  const shown = /^do\b/i.test(statement) ? bare : bare.replaceAll(/'(?:[^']|'')*'/g, "''")
  return shown.replaceAll('"', '').replaceAll(/\s+/g, ' ').toLowerCase()
}

function match(text: string, rules: readonly ActionRule[], table: string): Risk[] {
  return rules.flatMap(([pattern, kind, what]) => {
    const found = pattern.exec(text)
    if (found === null) return []
    const part = found[1]?.replaceAll(/[,;()]/g, '')
    return [{ kind, what, object: [table, part].filter((word) => word !== undefined && word !== '').join('.') }]
  })
}

function findInTable(statement: string): Risk[] {
  const [, table, actions] = /^alter (?:foreign )?table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement) ?? []
  if (table === undefined || actions === undefined) return []
  return splitActions(actions).flatMap((action) => [
    ...match(action, actionRules, table),
    ...findInColumn(action, table),
  ])
}

function findInColumn(action: string, table: string): Risk[] {
  if (!action.startsWith('add ') || addsConstraint.test(action)) return []
  const column = /^add (?:column )?(?:if not exists )?(\S+)/.exec(action)?.[1] ?? ''
  const object = `${table}.${column}`
  const risks: Risk[] = []
  const fills = /\bdefault\b|\bgenerated\b|serial\b/.test(action)
  if (/\bnot null\b|\bprimary key\b/.test(action) && !fills)
    risks.push({ kind: 'takes', what: 'adds a column that must be given', object })
  if (/\bunique\b|\bprimary key\b/.test(action)) risks.push({ kind: 'blocks', what: 'builds an index', object })
  if (volatileDefault.test(action)) risks.push({ kind: 'blocks', what: 'writes every row', object })
  return risks
}

/** Splits at the commas outside of brackets. */
function splitActions(actions: string): string[] {
  let depth = 0
  let last = ''
  const parts: string[] = []
  for (const letter of actions) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) {
      parts.push(last.trim())
      last = ''
    } else last += letter
  }
  return [...parts, last.trim()]
}

function findInIndex(statement: string, before: readonly string[], isOutside: boolean, isChunked: boolean): Risk[] {
  const found = /^create (unique )?index (concurrently )?(?:if not exists )?(?:(\S+) )?on (?:only )?([\w.]+)/.exec(
    statement,
  )
  if (found === null) return []
  const [, unique, concurrently, index = '', table = ''] = found
  const object = `${table}.${index}`
  const byChunk = statement.includes('with (timescaledb.transaction_per_chunk)')
  const risks: Risk[] = []
  if (unique !== undefined) risks.push({ kind: 'takes', what: 'adds a unique index', object })
  const isInChunks = isChunked && chunked.includes(table)
  if (concurrently === undefined && !(byChunk && isInChunks))
    risks.push({ kind: 'blocks', what: 'builds an index', object })
  else if (concurrently !== undefined && isInChunks)
    risks.push({ kind: 'fails', what: 'builds concurrently on chunks', object })
  else if (!isOutside) risks.push({ kind: 'fails', what: 'builds concurrently in a transaction', object })
  // An interrupted attempt leaves an invalid index, and `if not exists` would keep it.
  else if (!before.some((one) => new RegExp(`^drop index (concurrently )?if exists ${index}$`).test(one)))
    risks.push({ kind: 'fails', what: 'cannot be repeated', object })
  return risks
}

/** An object that the same file creates again is not taken away. */
function findInDrop(statement: string, later: readonly string[]): Risk[] {
  const found =
    /^drop (materialized view|foreign table|\w+) (?:concurrently )?(?:if exists )?(.+?)(?: cascade| restrict)?$/.exec(
      statement.replaceAll(/\([^)]*\)/g, ''),
    )
  if (found === null) return []
  const [, kind = '', names = ''] = found
  const isMadeAgain = (name: string): boolean =>
    ['index', 'trigger'].includes(kind) &&
    later.some((one) => new RegExp(`^create (?:unique )?(?:or replace )?${kind} (?:concurrently )?${name} `).test(one))
  return names
    .split(',')
    .map((one) => one.trim().split(' ')[0] ?? '')
    .filter((name) => !isMadeAgain(name))
    .map((object) => ({ kind: 'takes', what: `drops a ${kind}`, object }))
}

function findInUpdate(statement: string): Risk[] {
  const table = /^update (?:only )?([\w.]+)/.exec(statement)?.[1]
  return table !== undefined && large.has(table)
    ? [{ kind: 'blocks', what: 'changes rows of a large table', object: table }]
    : []
}
