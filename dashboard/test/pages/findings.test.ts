// What the page of findings derives from the responses of the API.
import test from 'ava'
import { detectors } from '../../../src/findings/detectors.ts'
import { adviseOn, findingKinds, nameFindingType } from '../../src/pages/findings/advice.ts'
import { listFacts } from '../../src/pages/findings/evidence-facts.ts'
import { isNarrowed, makeFindingQuery, readFindingSearch, searchOf } from '../../src/pages/findings/list-search.ts'
import {
  findNeighbour,
  listRows,
  namePeriod,
  readContainer,
  readSeenUsd,
  readTraceIds,
} from '../../src/pages/findings/rows.ts'

const agentId = '019aa1c2-7d3f-7c00-8000-0123456789ab'

const finding = (id: string, more: object = {}) => ({
  id,
  type: 'repeated_tool_call',
  severity: 'info' as const,
  status: 'open' as const,
  title: id,
  detail: '',
  agent_id: null,
  tool_name: 'search',
  model: null,
  occurrences: 1,
  est_monthly_cost_usd: null,
  evidence: {},
  decision_id: null,
  first_seen: '2026-11-20T00:00:00.000Z',
  last_seen: '2026-11-21T00:00:00.000Z',
  ...more,
})

test('the list contains each finding once, and none whose new status the filter excludes', (t) => {
  const pages = [{ items: [finding('a'), finding('b')] }, { items: [finding('b'), finding('c')] }]
  const ids = (changing: [string, 'resolved'][], status: 'open' | undefined): string[] =>
    listRows(pages, new Map(changing), status).map(({ id }) => id)
  t.deepEqual(ids([], 'open'), ['a', 'b', 'c'])
  t.deepEqual(ids([['b', 'resolved']], 'open'), ['a', 'c'])
  t.deepEqual(ids([['b', 'resolved']], undefined), ['a', 'b', 'c'])
  t.is(listRows(pages, new Map([['b', 'resolved']]), undefined)[1]?.status, 'resolved')
})

test('after rows are removed, the next row has the focus, or the previous one if there is none', (t) => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  const next = (...leaving: string[]): string | null => findNeighbour(rows, new Set(leaving))
  t.is(next('b'), 'c')
  t.is(next('a', 'c'), 'd')
  t.is(next('c', 'd'), 'b')
  t.is(next('a', 'b', 'c', 'd'), null)
})

test('the list first shows open findings, the most expensive first; “any” shows every status', (t) => {
  const ask = (search: Record<string, string>) => makeFindingQuery(readFindingSearch(search).filters)
  t.deepEqual(ask({}), { status: 'open', order_by: 'est_monthly_cost_usd' })
  t.deepEqual(ask({ status: 'any', order_by: 'last_seen', finding: agentId }), { order_by: 'last_seen' })
  t.deepEqual(ask({ status: 'resolved', agent_id: agentId, type: 'slow_tool' }), {
    status: 'resolved',
    agent_id: agentId,
    type: 'slow_tool',
    order_by: 'est_monthly_cost_usd',
  })
  t.is(readFindingSearch({ severity: 'bad' }).ignored[0]?.name, 'severity')
  t.true(isNarrowed(readFindingSearch({ tool_name: 'search' }).filters))
  t.false(isNarrowed(readFindingSearch({ status: 'resolved', finding: agentId }).filters))
  t.deepEqual(searchOf({ status: 'any', range: '7d', view: 'x' }, 'b'), { status: 'any', finding: 'b' })
})

test('every type that the service finds has a name and advice, and no other type has', (t) => {
  t.deepEqual(Object.keys(findingKinds).toSorted(), detectors.map(({ type }) => type).toSorted())
  for (const type of Object.keys(findingKinds)) t.true((adviseOn(finding('a', { type }))?.text.length ?? 0) > 20, type)
  t.is(nameFindingType('a_new_type'), 'A new type')
  t.is(adviseOn(finding('a', { type: 'constructor' })), null)
})

test('instructions to attest are not shown for a tool that is attested or that has effects', (t) => {
  for (const type of ['repeated_tool_call', 'dead_tool_result']) {
    const codeOf = (remedy: string) => adviseOn(finding('a', { type, evidence: { remedy } }))?.code
    t.regex(codeOf('attest') ?? '', /tool\(\s*'search',\s*run,[^]*attest: /)
    t.is(codeOf('rule'), undefined)
    t.is(codeOf('review'), undefined)
  }
  const strange = finding('a', { tool_name: "it's\n', evil()", evidence: { remedy: 'attest' } })
  t.regex(adviseOn(strange)?.code ?? '', /tool\(\s*'it\\'s \\', evil\(\)',\s*run/)
})

test('evidence is shown with the units in its names; a nested value is shown behind its name', (t) => {
  const evidence = {
    trace_ids: ['a'],
    mean_call_usd: 0.0042,
    mean_failed_call_usd: 0.5,
    waited_ms: 294_000,
    within_s: 600,
    error_rate: 0.125,
    mean_repeated_tokens: 12_345.6,
    mean_turns: 4.456,
    repeats: 1_234,
    nothing: null,
    price: { basis: 'by hand' },
    replay: { trials: 12, proven: false, steps_down: 0, agent_id: agentId },
    error_types: ['timeout', '500'],
    days: [{ day: '2026-11-20', cost_usd: 7 }],
  }
  t.deepEqual(
    listFacts(evidence, new Set(['trace_ids', 'price'])).map(({ label, text }) => `${label}: ${text}`),
    [
      'Mean cost of a call: $0.0042',
      'Mean failed call: $0.5000',
      'Waited for the results: 4m 54s',
      'Repeated within: 10m 00s',
      'Error rate: 12.5 %',
      'Mean repeated tokens: 12.3k',
      'Mean turns: 4.46',
      'Repeated calls: 1,234',
      'Replay: calls that would have been served: 12',
      'Replay: proven: no',
      'Replay: times that many results changed at once: 0',
      'Error types: timeout, 500',
      'Days: day 2026-11-20, cost $7.00',
    ],
  )
  t.deepEqual(listFacts({ many: ['1', '2', '3', '4', '5', '6', '7'] }), [
    { label: 'Many', text: '1, 2, 3, 4, 5 and 2 more' },
  ])
  t.is(readSeenUsd(finding('a', { evidence: { price: { seen_usd: 0.5 } } })), 0.5)
  t.is(readSeenUsd(finding('a', { evidence: { price: null } })), null)
  const part = finding('a', { evidence: { price: { contained_in: { type: 'unattested_repeat', title: 'whole' } } } })
  t.deepEqual([readContainer(part), readContainer(finding('a'))], ['whole', null])
  t.deepEqual(readTraceIds(finding('a', { evidence: { trace_ids: ['x', 1] } })), ['x'])
})

test('a count names the time in which it was counted', (t) => {
  const period = (looked_at: object) => namePeriod(finding('a', { evidence: { looked_at } }))
  t.deepEqual(
    [
      { hours: 24, is_sample: false },
      { hours: 25 },
      { hours: 168 },
      { hours: 169 },
      { hours: 24, is_sample: true },
      {},
    ].map(period),
    ['24 h', '24 h', '7 d', '7 d', 'a sample', null],
  )
})
