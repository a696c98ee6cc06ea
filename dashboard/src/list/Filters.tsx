// The filters above a list. Each is one parameter of the URL. Suggestions are shown with their number of events in the window.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { api, dataOf } from '../api/client.ts'
import { usePageWindow } from '../app/page-window.tsx'
import { useFilterKey } from '../app/shortcuts/use-filter-key.ts'
import { useTypedText } from '../app/use-typed-text.ts'
import { countOf, formatCount } from '../format/index.ts'
import { isNamed } from '../stats/facts.ts'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { Button, SelectField } from '../ui/index.ts'
import type { Reader, Search, TimeWindow } from '../window/index.ts'
import styles from './filters.module.css'
import { MissingValues } from './MissingValues.tsx'

const maxSuggestions = 50

type SuggestedName = 'agent_id' | 'model' | 'tool_name'

/** The filters that suggest values of the window. */
const suggested = {
  agent_id: { label: 'Agent', group: 'agent' },
  model: { label: 'Model', group: 'model' },
  tool_name: { label: 'Tool', group: 'tool' },
} as const satisfies Record<SuggestedName, object>

type BarProps = {
  readonly workspaceId: string
  /** The parameters that "Clear filters" removes. */
  readonly names: readonly string[]
  readonly children: ReactNode
}

export function FilterBar({ workspaceId, names, children }: BarProps) {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: true })
  const bar = useFilterKey<HTMLDivElement>()
  const isActive = names.some((name) => search[name] !== undefined)
  return (
    <div ref={bar} aria-label="Filters" className={styles.filters} role="group">
      {children}
      {isActive ? (
        <Button onClick={() => change(clearedOf(names))} variant="quiet">
          Clear filters
        </Button>
      ) : null}
      <MissingSuggestions workspaceId={workspaceId} />
    </div>
  )
}

/** Returns the changes of the URL that remove these parameters. */
export const clearedOf = (names: readonly string[]): Record<string, null> =>
  Object.fromEntries(names.map((name) => [name, null]))

type ChoiceProps = {
  readonly label: string
  readonly name: string
  /** What the list shows without the parameter. */
  readonly any?: string
  readonly children: ReactNode
}

/** A filter with a few values, which are given as option elements. */
export function Choice({ label, name, any = 'any', children }: ChoiceProps) {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: true })
  return (
    <SelectField label={label} any={any} value={search[name]} onChange={(value) => change({ [name]: value })}>
      {children}
    </SelectField>
  )
}

/** The values of one filter that occur in the window, those with the most events first. */
const valuesQuery = (workspaceId: string, name: SuggestedName, window: TimeWindow) =>
  queryOptions({
    queryKey: ['suggestions', workspaceId, name, window.preset ?? window],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              from_time: window.from,
              to_time: window.to,
              group_by: suggested[name].group,
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

function MissingSuggestions({ workspaceId }: { readonly workspaceId: string }) {
  const { window } = usePageWindow()
  const agents = useQuery(valuesQuery(workspaceId, 'agent_id', window))
  const models = useQuery(valuesQuery(workspaceId, 'model', window))
  const tools = useQuery(valuesQuery(workspaceId, 'tool_name', window))
  return <MissingValues queries={{ Agent: agents, Model: models, Tool: tools }} />
}

type SuggestedProps = { readonly workspaceId: string; readonly name: SuggestedName }

export function Suggested({ workspaceId, name }: SuggestedProps) {
  const search: Search = useSearch({ strict: false })
  const { window } = usePageWindow()
  const { data } = useQuery(valuesQuery(workspaceId, name, window))
  const items = data?.items.filter(isNamed) ?? []
  const value = search[name]
  const isListed = value === undefined || items.some(({ key }) => key === value)
  const isOfErrors = search['status'] === 'error'
  return (
    <Choice label={suggested[name].label} name={name}>
      {isListed ? null : <option value={value}>{value}</option>}
      {items
        .filter(({ key, errors }) => !isOfErrors || errors > 0 || key === value)
        .map(({ key, label: shown, events, errors }) => (
          <option key={key} value={key}>
            {shown} ({isOfErrors ? `${formatCount(errors)} failed` : countOf(events, 'span')})
          </option>
        ))}
    </Choice>
  )
}

type TypedProps = {
  readonly label: string
  readonly name: string
  /** What the list reads from the text. A text that it cannot read does not filter, and the field says so. */
  readonly reader: Reader<unknown>
  readonly isNumber?: boolean
}

/** A filter for typed text. It applies once the user pauses typing, and adds no entry to the browser history. */
export function Typed({ label, name, reader, isNumber = false }: TypedProps) {
  const id = useId()
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: false })
  const [text, setText] = useTypedText(search[name] ?? '', (typed) => change({ [name]: typed === '' ? null : typed }))
  const given = search[name]
  const isUnread = given !== undefined && reader.read(given) === null
  return (
    <label className={isNumber ? styles.filter : styles.wide} htmlFor={id}>
      {label}
      <input
        aria-describedby={isUnread ? `${id}-fault` : undefined}
        aria-invalid={isUnread}
        id={id}
        inputMode={isNumber ? 'numeric' : 'text'}
        onChange={({ target }) => setText(target.value)}
        type="search"
        value={text}
      />
      {isUnread ? (
        <span className={styles.fault} id={`${id}-fault`} role="status">
          Not used: expected {reader.expects}
        </span>
      ) : null}
    </label>
  )
}
