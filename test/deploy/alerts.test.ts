// Which alerts fire when processes are gone, loops stall or clocks differ, by Prometheus' own evaluation of the rules.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'ava'
import { chartFolder } from '../_kit/helm.ts'
import { type AlertScenario, findPromtool, judgeAlerts } from '../_kit/promtool.ts'

const rules = join(chartFolder, 'files/alerts.yaml')
const looked = [
  'LoopStalled',
  'ReadsSlow',
  'ClockDiffers',
  'Absent',
  'NoFronts',
  'NoActors',
  'PartitionsWithoutOwner',
  'MixedReleases',
].map((name) => `Tracewright${name}`)

const lives = '1x90'
/** Scraped for ten minutes, then gone. */
const goes = '1x10 stale'
const one = { namespace: 'prod', app_kubernetes_io_instance: 'one' }

type Place = { readonly namespace: string; readonly release: string; readonly version?: string }
const first: Place = { namespace: 'prod', release: 'one' }
const neighbour: Place = { namespace: 'prod', release: 'two' }

/** The series of a process with these roles by which the alerts identify it. */
function run(roles: string, values: string, place: Place = first): Record<string, string> {
  const { namespace, release, version = '0.2.0' } = place
  const labels = `namespace="${namespace}",app_kubernetes_io_instance="${release}",pod="${release}-${roles}-0"`
  const isActor = roles !== 'front'
  return {
    [`tracewright_info{${labels},roles="${roles}",version="${version}"}`]: values,
    ...(isActor
      ? { [`tracewright_partitions_owned{${labels}}`]: values.replace(/^1/, '128').replace('x', '+0x') }
      : {}),
    ...(roles === 'actor' ? {} : { [`tracewright_routes_known{${labels}}`]: values }),
  }
}

const scenarios: readonly AlertScenario[] = [
  {
    name: 'nothing is gone',
    series: { ...run('front', lives), ...run('actor', lives), ...run('all', lives, neighbour) },
    at: '30m',
    firing: {},
  },
  {
    name: 'every front is gone, and a release beside it has fronts',
    series: { ...run('front', goes), ...run('actor', lives), ...run('front,actor', lives, neighbour) },
    at: '14m',
    firing: { TracewrightNoFronts: [one] },
  },
  {
    name: 'every process waits for the schema, and serves only the metrics of that',
    series: {
      [`tracewright_info{namespace="prod",app_kubernetes_io_instance="one",pod="one-front-0",roles="front",version="0.2.0"}`]:
        lives,
      [`tracewright_info{namespace="prod",app_kubernetes_io_instance="one",pod="one-actor-0",roles="actor",version="0.2.0"}`]:
        lives,
      ...run('all', lives, neighbour),
    },
    at: '14m',
    firing: { TracewrightNoFronts: [one] },
  },
  {
    name: 'fronts that are gone for less than two minutes',
    series: { ...run('front', goes), ...run('actor', lives) },
    at: '12m',
    firing: {},
  },
  {
    name: 'every actor is gone, and a release beside it has actors',
    series: {
      ...run('front', lives),
      ...run('actor', goes),
      ...run('actor', lives, neighbour),
      ...run('front', lives, neighbour),
    },
    at: '14m',
    firing: { TracewrightNoActors: [one] },
  },
  {
    name: 'a release is gone while another one of its namespace lives',
    series: { ...run('front', goes), ...run('actor', goes), ...run('all', lives, neighbour) },
    at: '20m',
    firing: { TracewrightAbsent: [one] },
  },
  {
    name: 'a release is gone while one of its name lives in another namespace',
    series: { ...run('all', goes), ...run('all', lives, { namespace: 'test', release: 'one' }) },
    at: '20m',
    firing: { TracewrightAbsent: [one] },
  },
  {
    name: 'the only release is gone, without the labels of Kubernetes',
    series: { 'tracewright_info{instance="a:9464",roles="all",version="0.2.0"}': goes },
    at: '20m',
    firing: { TracewrightAbsent: [{}] },
  },
  { name: 'there was never a process', series: { up: lives }, at: '10m', firing: { TracewrightAbsent: [{}] } },
  {
    name: 'partitions are without an owner beside a release that owns all of its own',
    series: {
      ...run('front', lives),
      ...run('all', lives, neighbour),
      'tracewright_partitions_owned{namespace="prod",app_kubernetes_io_instance="one",pod="one-actor-0"}': '127+0x90',
    },
    at: '10m',
    firing: { TracewrightPartitionsWithoutOwner: [one] },
  },
  {
    name: 'two releases of one namespace have different versions',
    series: { ...run('all', lives), ...run('all', lives, { ...neighbour, version: '0.3.0' }) },
    at: '80m',
    firing: {},
  },
  {
    name: 'one release has two versions',
    series: { ...run('front', lives), ...run('actor', lives, { ...first, version: '0.3.0' }) },
    at: '80m',
    firing: { TracewrightMixedReleases: [one] },
  },
  {
    name: 'the clock of one machine is behind, that of another one a little ahead',
    series: {
      ...run('all', lives),
      'tracewright_clock_ahead_seconds{namespace="prod",pod="one-front-0"}': '-3600+0x90',
      'tracewright_clock_ahead_seconds{namespace="prod",pod="one-front-1"}': '4+0x90',
    },
    at: '20m',
    firing: { TracewrightClockDiffers: [{ namespace: 'prod', pod: 'one-front-0' }] },
  },
]

const success = (loop: string): string =>
  `tracewright_loop_success_timestamp_seconds{namespace="prod",pod="one-actor-0",loop="${loop}"}`
const started = { ...run('all', '1x400'), [success('folding')]: '0+60x400', [success('purging')]: '0+60x400' }
const stalled = (loop: string) => ({ namespace: 'prod', pod: 'one-actor-0', loop })

/** Loops that have the time of their start, since they have never completed, beside others that complete. */
const loops: readonly AlertScenario[] = [
  {
    name: 'loops that have not completed since the start of their process, a short time after it',
    series: { ...started, [success('settling')]: '0x400', [success('retention')]: '0x400' },
    at: '15m',
    firing: {},
  },
  {
    name: 'loops that have not completed since the start of their process',
    series: { ...started, [success('settling')]: '0x400', [success('retention')]: '0x400' },
    at: '17m',
    firing: { TracewrightLoopStalled: [stalled('settling')] },
  },
  {
    name: 'the same loops six hours later',
    series: { ...started, [success('settling')]: '0x400', [success('retention')]: '0x400' },
    at: '367m',
    firing: { TracewrightLoopStalled: [stalled('settling'), stalled('retention')] },
  },
]

/** A route whose requests take ten seconds each. */
const slow = (route: string): Record<string, string> => {
  const bucket = (le: string) =>
    `tracewright_http_request_duration_seconds_bucket{namespace="prod",method="GET",route="/v1/workspaces/{workspace_id}/${route}",le="${le}"}`
  return { [bucket('5')]: '0x90', [bucket('10')]: '0+60x90', [bucket('+Inf')]: '0+60x90' }
}
const reads: readonly AlertScenario[] = [
  {
    name: 'long polls and downloads',
    series: { ...run('all', lives), ...slow('events/tail'), ...slow('export') },
    at: '60m',
    firing: {},
  },
  {
    name: 'slow reads',
    series: { ...run('all', lives), ...slow('stats/summary'), ...slow('export') },
    at: '60m',
    firing: { TracewrightReadsSlow: [{ namespace: 'prod' }] },
  },
]

/** A release that was uninstalled in the first minutes, and is or is not missed so long after that. */
const uninstalled: readonly AlertScenario[] = Object.entries({ '1h': [one], '24h30m': [] }).map(([at, missed]) => ({
  name: `uninstalled, ${at}`,
  series: { ...run('all', goes), ...run('all', '1x1500', neighbour) },
  at,
  firing: { TracewrightAbsent: missed },
}))

test('promtool accepts the alert rules', (t) => {
  const { status, stderr } = spawnSync(findPromtool(), ['check', 'rules', rules], { encoding: 'utf8' })
  t.is(status, 0, stderr)
})

test('the alerts about missing processes fire for the release that lacks them, and for no other', (t) => {
  t.is(judgeAlerts(rules, looked, scenarios), '')
})

test('the alert about a stalled loop also fires for one that has never completed', (t) => {
  t.is(judgeAlerts(rules, looked, loops), '')
})

test('the alert about slow reads does not count long polls and downloads', (t) => {
  t.is(judgeAlerts(rules, looked, reads), '')
})

const cronJob = 'namespace="NAMESPACE",cronjob="CRONJOB"'
const overdue = { TracewrightBackupOverdue: [{ namespace: 'NAMESPACE', cronjob: 'CRONJOB' }] }
/** The values are seconds since the start of the test, one a minute. */
const backups: readonly AlertScenario[] = [
  {
    name: 'a backup each day',
    series: { [`kube_cronjob_status_last_successful_time{${cronJob}}`]: '0x1440 86400x1440' },
    at: '40h',
    firing: {},
  },
  {
    name: 'the last backup was 37 hours ago',
    series: { [`kube_cronjob_status_last_successful_time{${cronJob}}`]: '0x3000' },
    at: '37h',
    firing: overdue,
  },
  {
    name: 'no backup has succeeded since the CronJob was created',
    series: { [`kube_cronjob_created{${cronJob}}`]: '0x3000' },
    at: '37h',
    firing: overdue,
  },
  {
    name: 'another CronJob fails',
    series: { 'kube_cronjob_status_last_successful_time{namespace="NAMESPACE",cronjob="other-backup"}': '0x3000' },
    at: '37h',
    firing: {},
  },
]

test('the alert about backups fires after 36 hours without one', (t) => {
  const file = join(chartFolder, 'files/backup-alerts.yaml')
  t.is(judgeAlerts(file, ['TracewrightBackupOverdue'], backups, '10m'), '')
})

test('a release that was uninstalled is forgotten after a day', (t) => {
  // One evaluation a minute would read a day of samples 1,470 times.
  t.is(judgeAlerts(rules, looked, uninstalled, '10m'), '')
})

test('a scenario that expects the wrong alerts fails', (t) => {
  const [quiet] = scenarios
  const wrong = { ...(quiet as AlertScenario), firing: { TracewrightNoFronts: [one] } }
  t.regex(judgeAlerts(rules, looked, [wrong]), /nothing is gone[^]*TracewrightNoFronts/)
})
