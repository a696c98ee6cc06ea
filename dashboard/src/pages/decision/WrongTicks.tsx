// Ticks below the chart, on its time axis, at the times of wrong results. A tick opens its newest wrong trial. The table of trials lists
// all stored trials.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { trialsQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'
import { nameTrials } from '../../decisions/wording.ts'
import { formatCount, formatTime } from '../../format/index.ts'
import { useSize } from '../../trace/use-size.ts'
import { Link, useZone } from '../../ui/index.ts'
import styles from './decision.module.css'
import type { Grid } from './grid.ts'
import { groupTicks } from './ticks.ts'

const mostAtOnce = 200
// The least width of a tick in pixels: smaller ones are hard to click.
const leastWidth = 24

type Props = { readonly workspaceId: string; readonly decision: Decision; readonly grid: Grid }

export function WrongTicks({ workspaceId, decision, grid }: Props) {
  const zone = useZone()
  const [box, { width }] = useSize<HTMLDivElement>()
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(
    trialsQuery(workspaceId, decision.id, false, mostAtOnce),
  )
  // Loads all pages: the service keeps at most 1,000 wrong trials.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const wrong = data?.pages.flatMap(({ items }) => items) ?? []
  const places = Math.floor(width / leastWidth)
  const ticks = groupTicks(wrong, grid, places)
  const nowMs = Date.now()
  return (
    <>
      <div ref={box} className={styles.ticks}>
        {ticks.map(({ place, trials, newest }) => {
          const name = `${formatCount(trials)} wrong ${nameTrials(decision.type, trials)}, the newest at ${formatTime(newest.at, zone, nowMs, 's')}: open it`
          return (
            <span key={place} className={styles.tick} style={{ left: `${(place / places) * 100}%` }}>
              <Link
                to="/w/$workspace_id/traces/$trace_id"
                params={{ trace_id: newest.trace_id }}
                search={{ span: newest.span_id }}
                title={name}
                aria-label={name}
              >
                {trials === 1 ? '' : formatCount(trials)}
              </Link>
            </span>
          )
        })}
      </div>
      {/* Has the same height while the trials load, so that nothing moves afterwards. */}
      <p className={styles.muted}>{data === undefined ? '\u00a0' : describeTicks(decision.type, wrong.length)}</p>
    </>
  )
}

const describeTicks = (type: Decision['type'], wrong: number): string =>
  wrong === 0
    ? `No wrong ${nameTrials(type, 1)} is stored.`
    : `Each red mark is a time with wrong ${nameTrials(type, 2)}, and their number. It opens the newest of them.`
