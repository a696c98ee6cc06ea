// The attributes of a span as the sender wrote them, with those of the resource and the instrumentation scope.
import { useState } from 'react'
import { JsonTree } from '../content/JsonTree.tsx'
import type { SpanDetail } from '../use-detail.ts'
import styles from './panel.module.css'

type Attributes = Readonly<Record<string, unknown>>

export function AttributesTab({ detail: { attributes, resource, scope, dropped } }: { readonly detail: SpanDetail }) {
  const [wanted, setWanted] = useState('')
  const scopeName = [scope.name, scope.version].filter((text) => text !== '').join(' ')
  return (
    <>
      <label className={styles.filter}>
        Filter attributes
        <input onChange={({ target }) => setWanted(target.value)} type="search" value={wanted} />
      </label>
      <List attributes={attributes} label="Span" wanted={wanted} />
      <List attributes={resource.attributes} label="Resource" wanted={wanted} />
      <List
        attributes={scope.attributes}
        label={scopeName === '' ? 'Instrumentation' : `Instrumentation ${scopeName}`}
        wanted={wanted}
      />
      {dropped.attributes > 0 ? (
        <p className={styles.note}>The sender dropped {dropped.attributes} more attributes.</p>
      ) : null}
    </>
  )
}

type ListProps = { readonly label: string; readonly attributes: Attributes; readonly wanted: string }

function List({ label, attributes, wanted }: ListProps) {
  const needle = wanted.trim().toLowerCase()
  const shown = Object.entries(attributes)
    .filter(([name, value]) => needle === '' || `${name} ${JSON.stringify(value)}`.toLowerCase().includes(needle))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (shown.length === 0) return null
  return (
    <section aria-label={label}>
      <h3 className={styles.label}>{label}</h3>
      <dl className={styles.attributes}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <JsonTree level={1} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
