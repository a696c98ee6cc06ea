// Compares PostgreSQL's plan for a statement of the service with the indexes that the statement's header names.
import type pg from 'pg'
import { loadStatements } from '../../src/store/statements.ts'

export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Conflict Resolution'?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const statements = loadStatements()

/** Converts the name of a chunk's index to that of the hypertable's index. */
const withoutChunk = (index: string): string => index.replace(/^(_hyper_\d+_\d+_chunk|\d+(_\d+)?)_/, '')

function flatten(node: PlanNode): PlanNode[] {
  const index = node['Index Name']
  const own = index === undefined ? node : { ...node, 'Index Name': withoutChunk(index) }
  return [own, ...(node.Plans ?? []).flatMap(flatten)]
}

type Explained = { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }
const readNodes = ({ rows }: Explained): PlanNode[] =>
  rows.flatMap((row) => flatten(row['QUERY PLAN'][0]?.Plan as PlanNode))

/** Returns the nodes of the plan for these values. */
export async function explainFor(client: pg.Client, name: string, values: readonly unknown[]): Promise<PlanNode[]> {
  return readNodes(await client.query(`explain (format json) ${statements.get(name)}`, [...values]))
}

/** Returns the nodes of the plan for a query that is not a named statement. */
export async function explainQuery(client: pg.Client, query: string): Promise<PlanNode[]> {
  return readNodes(await client.query(`explain (format json) ${query}`))
}

/** Returns the nodes of the generic plan, which a prepared statement uses for all values. */
export async function explainGenerally(client: pg.Client, name: string): Promise<PlanNode[]> {
  return readNodes(await client.query(`explain (generic_plan, format json) ${statements.get(name)}`))
}

/** Runs the statement and returns the number of rows. */
export async function runStatement(client: pg.Client, name: string, values: readonly unknown[]): Promise<number> {
  const { rowCount } = await client.query(statements.get(name) ?? '', [...values])
  return rowCount ?? 0
}

/** Runs the statement and returns the number of rows and of pages of tables and indexes that were read, from disk or cache. */
export async function countPages(
  client: pg.Client,
  name: string,
  values: readonly unknown[],
): Promise<{ rows: number; pages: number }> {
  type Analyzed = { 'Actual Rows': number; 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Analyzed }[] }>(
    `explain (analyze, buffers, format json) ${statements.get(name)}`,
    [...values],
  )
  const top = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (top === undefined) throw new Error(`${name} has no plan`)
  return { rows: top['Actual Rows'], pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'] }
}

/** Returns the indexes that the header of the statement names. */
export function readPromise(name: string): string[] {
  const line = /^-- index: (.+)$/m.exec(statements.get(name) ?? '')?.[1]
  return line?.split(', ') ?? []
}

/** Returns the indexes that the header names and the plan does not read. */
export function listUnread(name: string, nodes: readonly PlanNode[]): string[] {
  const read = new Set(nodes.map((node) => node['Index Name']))
  // `on conflict do nothing` checks every unique index without a plan node.
  if (nodes.some((node) => node['Conflict Resolution'] === 'NOTHING')) return []
  return readPromise(name).filter((index) => !read.has(index))
}

/** Returns the tables that grow with traffic and that the plan reads in full; a chunk counts as its table. */
export function listWholeReads(nodes: readonly PlanNode[]): string[] {
  const growing = /^(_hyper_\d+_\d+_chunk|events|traces|payload_blocks|tool_results)$/
  return nodes
    .filter((node) => node['Node Type'].includes('Seq Scan'))
    .map((node) => node['Relation Name'] ?? '')
    .filter((table) => growing.test(table))
}
