// The tokens of a call as one bar, with a legend of their numbers.
import { formatTokens } from '../../format/index.ts'
import type { SpanEvent } from '../use-spans.ts'
import styles from './panel.module.css'
import { splitTokens } from './token-parts.ts'

export function TokenBar({ span }: { readonly span: SpanEvent }) {
  const parts = splitTokens(span)
  if (parts.length === 0) return null
  return (
    <div className={styles.tokens}>
      <div aria-hidden className={styles.tokenBar}>
        {parts.map(({ name, tokens }) => (
          <span data-part={name} key={name} style={{ flexGrow: tokens }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ name, tokens }) => (
          <li key={name} title={`${tokens} tokens`}>
            <span aria-hidden data-part={name} /> {name} {formatTokens(tokens)}
          </li>
        ))}
      </ul>
    </div>
  )
}
