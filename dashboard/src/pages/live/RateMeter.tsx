import { Sparkline } from '../../charts/index.ts'
import type { SpanEvent } from '../../events/columns.tsx'
import { formatCount } from '../../format/index.ts'
import { type Feed, meanRate, rateSeconds } from './feed.ts'
import styles from './live.module.css'

/** Shows the present rate in spans a second, and the rate over the last minute. */
export function RateMeter({ feed }: { readonly feed: Feed<SpanEvent> }) {
  const mean = meanRate(feed)
  const most = Math.max(...feed.rate)
  return (
    <dl className={styles.meter}>
      <div>
        <dt>Spans a second</dt>
        <dd className={styles.value} title="Mean of the last 10 seconds">
          {mean.toFixed(mean < 10 ? 1 : 0)}
        </dd>
      </div>
      <div>
        <dt>Last minute</dt>
        <dd>
          <Sparkline
            height={28}
            label={`Spans of the last ${rateSeconds} seconds, at most ${most} a second`}
            values={feed.rate}
            width={160}
          />
        </dd>
      </div>
      <div>
        <dt>Received since opened</dt>
        <dd className={styles.value}>{formatCount(feed.received)}</dd>
      </div>
    </dl>
  )
}
