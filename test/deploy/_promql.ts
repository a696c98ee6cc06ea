// Parses PromQL by its own grammar: returns faults, the selected series, and the labels that are grouped by.
import { parser } from '@prometheus-io/lezer-promql'

export type Matcher = { readonly label: string; readonly operator: string; readonly value: string }
export type Selected = { readonly metric: string; readonly matchers: readonly Matcher[] }

export type Query = {
  /** Syntax errors, if the text is not PromQL. */
  readonly faults: readonly string[]
  readonly selected: readonly Selected[]
  readonly grouped: readonly string[]
}

/** Grafana's variables are replaced by a value. */
export function readQuery(text: string): Query {
  const query = text.replaceAll('$__rate_interval', '5m')
  const faults: string[] = []
  const selected: { metric: string; matchers: Matcher[] }[] = []
  const grouped: string[] = []
  parser.parse(query).iterate({
    enter({ name, from, to, type, node }) {
      const at = query.slice(from, to)
      if (type.isError) faults.push(`${query} (at ${from})`)
      if (name === 'VectorSelector') {
        const identifier = node.getChild('Identifier')
        selected.push({ metric: identifier === null ? '' : query.slice(identifier.from, identifier.to), matchers: [] })
      }
      if (name === 'UnquotedLabelMatcher') selected.at(-1)?.matchers.push(readMatcher(at))
      if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouped.push(at)
    },
  })
  return { faults, selected, grouped }
}

function readMatcher(text: string): Matcher {
  const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(text) ?? []
  return { label, operator, value }
}
