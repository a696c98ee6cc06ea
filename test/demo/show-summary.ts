// The service's own figures of the fleet, read through its API and shown as small tables.

import { CommandFault } from '../_kit/command.ts'
import type { Workspace } from './account.ts'
import { callRoute } from './interface.ts'
import { table } from './table.ts'

type Summary = {
  total_events: number
  traces: number
  sessions: number
  llm_calls: number
  errors: number
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cost_usd: number
  estimated_cache_savings_usd: number
  p95_duration_ms: number
}
type Row = {
  label: string
  events: number
  llm_calls: number
  cost_usd: number
  errors: number
  unpriced_calls: number
}

const whole = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

const breakdown = (title: string, rows: readonly Row[]): string =>
  table([
    [title, 'events', 'calls', 'errors', 'cost'],
    ...rows.map((row) => [
      row.label,
      whole.format(row.events),
      whole.format(row.llm_calls),
      whole.format(row.errors),
      row.unpriced_calls > 0 && row.cost_usd === 0 ? 'no price' : dollars.format(row.cost_usd),
    ]),
  ])

/** Reads the window back and returns it as text. */
export async function describeWorkspace(
  url: string,
  workspace: Workspace,
  fromMs: number,
  toMs: number,
): Promise<string> {
  const base = `${url}/v1/workspaces/${workspace.workspaceId}`
  const window = `from_time=${new Date(fromMs).toISOString()}&to_time=${new Date(toMs).toISOString()}`
  const get = async <Shape>(path: string): Promise<Shape> => {
    const { status, json } = await callRoute(`${base}${path}`, 'GET', workspace.accessToken)
    if (status !== 200) throw new CommandFault(`GET ${path.split('?')[0]} returned status ${status}.`)
    return json as Shape
  }
  const summary = await get<Summary>(`/stats/summary?${window}`)
  const top = async (by: string) =>
    (await get<{ items: Row[] }>(`/stats/breakdown?${window}&group_by=${by}&order_by=cost_usd&limit=12`)).items
  return [
    table([
      ['Events', whole.format(summary.total_events)],
      ['Traces', whole.format(summary.traces)],
      ['Sessions', whole.format(summary.sessions)],
      ['Model calls', whole.format(summary.llm_calls)],
      ['Errors', whole.format(summary.errors)],
      ['Input tokens', whole.format(summary.input_tokens)],
      ['  of them cached', whole.format(summary.cached_tokens)],
      ['Output tokens', whole.format(summary.output_tokens)],
      ['Cost', dollars.format(summary.cost_usd)],
      ['Saved by prompt caching', dollars.format(summary.estimated_cache_savings_usd)],
      ['Duration (p95)', `${(summary.p95_duration_ms / 1_000).toFixed(1)} s`],
    ]),
    breakdown('Agent', await top('agent')),
    breakdown('Model', await top('model')),
  ].join('\n\n')
}
