// The usage of a workspace in one month: the quota, and how many spans were stored, rejected or dropped.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link, Page } from '../../ui/index.ts'
import { describeIgnored, periodFilter, readFilters, type Search } from '../../window/index.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { OutcomesPanel } from './OutcomesPanel.tsx'
import { namePeriod, readPeriod, shiftPeriod } from './period.ts'
import { QuotaPanel } from './QuotaPanel.tsx'
import { rejectionsQuery, usageDaysQuery, usageQuery } from './queries.ts'
import { RejectionsPanel } from './RejectionsPanel.tsx'
import styles from './usage.module.css'

const route = getRouteApi('/w/$workspace_id/usage')

export function UsagePage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { filters, ignored } = readFilters(search, { period: periodFilter })
  // Advances with each response, so that a figure is compared with the time at which it was loaded, and a new month is shown when it begins.
  const [nowMs, setNowMs] = useState(() => Date.now())
  const current = readPeriod(nowMs)
  const period = filters.period ?? current
  const usage = useQuery(usageQuery(workspaceId, period))
  const days = useQuery(usageDaysQuery(workspaceId, period))
  const rejections = useQuery(rejectionsQuery(workspaceId, period))
  if (days.dataUpdatedAt > nowMs) setNowMs(days.dataUpdatedAt)
  const note = describeIgnored(ignored)
  return (
    <Page
      title={`Usage in ${namePeriod(period)}`}
      tabTitle="Usage"
      actions={<Months period={period} current={current} />}
    >
      {note !== null && <p role="status">{note}</p>}
      <p>Usage is counted by month in UTC, whatever the time zone of the page.</p>
      <QuotaPanel usage={usage} days={days.data?.points ?? []} nowMs={nowMs} />
      <OutcomesPanel workspaceId={workspaceId} days={days} period={period} />
      <RejectionsPanel rejections={rejections} />
      <HistoryPanel days={days} nowMs={nowMs} />
    </Page>
  )
}

function Months({ period, current }: { readonly period: string; readonly current: string }) {
  const [before, after] = [shiftPeriod(period, -1), shiftPeriod(period, 1)]
  return (
    <>
      <Link className={styles.month} to="/w/$workspace_id/usage" search={{ period: before }}>
        <ChevronLeft size={14} aria-hidden="true" /> {namePeriod(before)}
      </Link>
      {after <= current && (
        <Link
          className={styles.month}
          to="/w/$workspace_id/usage"
          search={{ period: after === current ? null : after }}
        >
          {namePeriod(after)} <ChevronRight size={14} aria-hidden="true" />
        </Link>
      )}
    </>
  )
}
