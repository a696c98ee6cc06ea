// The filters above a list. Each is one parameter of the URL. Suggestions are shown with their number of events in the window.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { api, dataOf } from '../api/client.ts'
import { usePageWindow } from '../app/page-window.tsx'
import { useTypedText } from '../app/use-typed-text.ts'
import { formatCount } from '../format/index.ts'
import { isNamed } from '../stats/facts.ts'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { Button } from '../ui/index.ts'
import type { Search } from '../window/index.ts'
import styles from './filters.module.css'

const maxSuggestions = 50

type BarProps = {
  /** The parameters that "Clear filters" removes. */
  readonly names: readonly string[]
  readonly children: ReactNode
}

export function FilterBar({ names, children }: BarProps) {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: true })
  const isActive = names.some((name) => search[name] !== undefined)
  return (
    <div aria-label="Filters" className={styles.filters} role="group">
      {children}
      {isActive ? (
        <Button onClick={() => change(clearedOf(names))} variant="quiet">
          Clear filters
        </Button>
      ) : null}
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
  const id = useId()
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: true })
  return (
    <label className={styles.filter} htmlFor={id}>
      {label}
      <select
        id={id}
        onChange={({ target }) => change({ [name]: target.value === '' ? null : target.value })}
        value={search[name] ?? ''}
      >
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
  readonly group: 'agent' | 'model' | 'tool'
}

export function Suggested({ workspaceId, label, name, group }: SuggestedProps) {
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
  const items = data?.items.filter(isNamed) ?? []
  const value = search[name]
  const isListed = value === undefined || items.some(({ key }) => key === value)
  return (
    <Choice label={label} name={name}>
      {isListed ? null : <option value={value}>{value}</option>}
      {items.map(({ key, label: shown, events }) => (
        <option key={key} value={key}>
          {shown} ({formatCount(events)})
        </option>
      ))}
    </Choice>
  )
}

type TypedProps = { readonly label: string; readonly name: string; readonly isNumber?: boolean }

/** A filter for typed text. It applies once the user pauses typing, and adds no entry to the browser history. */
export function Typed({ label, name, isNumber = false }: TypedProps) {
  const id = useId()
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: false })
  const [text, setText] = useTypedText(search[name] ?? '', (typed) => change({ [name]: typed === '' ? null : typed }))
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
