import test from 'ava'
import { warnOfLosses } from '../../src/ingest/warn-of-losses.ts'

const nothing = { droppedQuota: 0, droppedAgentCap: 0, withheldSpans: 0 }

test('without losses there is no warning', (t) => {
  t.is(warnOfLosses(nothing), null)
})

test('each loss is reported with its number and reason', (t) => {
  t.regex(
    warnOfLosses({ ...nothing, droppedQuota: 3 }) ?? '',
    /^3 spans were dropped: the monthly event quota is used up \(see Usage in the dashboard\)$/,
  )
  t.regex(warnOfLosses({ ...nothing, droppedAgentCap: 2 }) ?? '', /^2 spans were dropped: .* agent cap/)
  const all = warnOfLosses({ droppedQuota: 1, droppedAgentCap: 1, withheldSpans: 7 }) ?? ''
  t.regex(all, /; 7 spans are stored without parts of their content: .* send smaller batches$/)
})
