// The filters of the list. Suggestions come with their counts in the window.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatCount } from '../../format/index.ts'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { activeFilters, filterNames } from './list-search.ts'
import styles from './traces.module.css'

const maxSuggestions = 50

type Grouping = 'agent' | 'model' | 'tool'

export function TraceFilters({ workspaceId }: { readonly workspaceId: string }) {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: true })
  const set = (name: string) => (value: string) => change({ [name]: value === '' ? null : value })
  const clear = (): void => change(Object.fromEntries(filterNames.map((name) => [name, null])))
  return (
    <div aria-label="Filters" className={styles.filters} role="group">
      <Choice label="Status" onChange={set('status')} value={search.status}>
        <option value="ok">ok</option>
        <option value="error">error</option>
      </Choice>
      <Suggested group="agent" label="Agent" name="agent_id" onChange={set('agent_id')} workspaceId={workspaceId} />
      <Suggested group="model" label="Model" name="model" onChange={set('model')} workspaceId={workspaceId} />
      <Suggested group="tool" label="Tool" name="tool_name" onChange={set('tool_name')} workspaceId={workspaceId} />
      <Choice label="Served calls" onChange={set('served')} value={search.served}>
        <option value="true">some</option>
        <option value="false">none</option>
      </Choice>
      <Typed label="Session" name="session_id" />
      <Typed label="At least (ms)" isNumber name="min_duration_ms" />
      <Choice any="newest first" label="Order" onChange={set('order_by')} value={search.order_by}>
        <option value="duration_ms">longest first</option>
        <option value="cost_usd">dearest first</option>
      </Choice>
      {activeFilters(search).length === 0 ? null : (
        <Button onClick={clear} variant="quiet">
          Clear filters
        </Button>
      )}
    </div>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string | undefined
  readonly any?: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

function Choice({ label, value, any = 'any', onChange, children }: ChoiceProps) {
  const id = useId()
  return (
    <label className={styles.filter} htmlFor={id}>
      {label}
      <select id={id} onChange={({ target }) => onChange(target.value)} value={value ?? ''}>
        <option value="">{any}</option>
        {children}
      </select>
    </label>
  )
}

type SuggestedProps = {
  readonly workspaceId: string
  readonly label: string
  readonly name: 'agent_id' | 'model' | 'tool_name'
  readonly group: Grouping
  readonly onChange: (value: string) => void
}

function Suggested({ workspaceId, label, name, group, onChange }: SuggestedProps) {
  const search: Search = useSearch({ strict: false })
  const { window } = usePageWindow()
  const { data } = useQuery({
    queryKey: ['suggestions', workspaceId, group, window.preset ?? window],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              from_time: window.from,
              to_time: window.to,
              group_by: group,
              order_by: 'events',
              limit: maxSuggestions,
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const items = data?.items ?? []
  const value = search[name]
  const isListed = value === undefined || items.some(({ key }) => key === value)
  return (
    <Choice label={label} onChange={onChange} value={value}>
      {isListed ? null : <option value={value}>{value}</option>}
      {items.map(({ key, label: shown, events }) => (
        <option key={key} value={key}>
          {shown} ({formatCount(events)})
        </option>
      ))}
    </Choice>
  )
}

const typingMs = 300

type TypedProps = {
  readonly label: string
  readonly name: 'session_id' | 'min_duration_ms'
  readonly isNumber?: boolean
}

/** What is typed counts when the typing rests; it makes no step that Back would take back. */
function Typed({ label, name, isNumber = false }: TypedProps) {
  const id = useId()
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: false })
  const given = search[name] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  useEffect(() => {
    if (text === given) return
    const timer = setTimeout(() => change({ [name]: text === '' ? null : text }), typingMs)
    return () => clearTimeout(timer)
    // Only typing changes the URL; the URL changing by itself is read above.
  }, [text])
  return (
    <label className={styles.filter} htmlFor={id}>
      {label}
      <input
        id={id}
        inputMode={isNumber ? 'numeric' : 'text'}
        onChange={({ target }) => setText(target.value)}
        type="search"
        value={text}
      />
    </label>
  )
}
