// What a rule has saved so far. It is shown above all other figures, so that a loss is not overlooked.
import { useQuery } from '@tanstack/react-query'
import { describeSaving } from '../../format/index.ts'
import styles from './decision.module.css'
import { type NetOf, netQuery } from './net.ts'

/** Has the same height while the figure loads, so that the content below does not move. */
export function Net(of: NetOf) {
  const { data } = useQuery(netQuery(of))
  const { amount, word, tone } = describeSaving(data?.net_usd ?? null)
  return (
    <p className={styles.net}>
      Net since it was proposed:{' '}
      <span className={styles[tone]}>
        {data === undefined ? '…' : amount}
        {word !== '' && `, ${word}`}
      </span>
      .{tone === 'bad' && ' It costs more than it saves.'}
    </p>
  )
}
