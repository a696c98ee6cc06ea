// The story of the rules, as a user runs it, on a service whose optimization loop runs every three seconds.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startService } from '../_kit/serve.ts'
import { until } from '../_kit/until.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const deadlineMs = 360_000
const foundWithinMs = 180_000

const tellStory = async (url: string): Promise<{ code: number; out: string; err: string }> =>
  await new Promise((done) => {
    const args = [main, '--story-only', '--url', url]
    execFile(process.execPath, args, (error, out, err) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err })
    })
  })

/** The expected output, in this order. */
const milestones = [
  /Sent 9,216 spans of the last six days: exchange_rates 5,184, get_tax_rates 864, style_guide 864, headlines 1,440\./,
  /exchange_rates is proposed as reuse_identity/,
  /exchange_rates is active: proven: at most 5 % of served results up to 1 hour old are wrong, at 95 % confidence/,
  / {2}10 seconds old +8\d\d +([\d,]+) of \1 +0\.5 % +yes\n/,
  / {2}1 hour old +14\d +([\d,]+) of \1 +2\.\d % +yes\n/,
  // Six days touch 25 periods of six hours, or 24; the first has trials only if it began early enough, and the last is not over.
  / {2}6 hours old +2[345] +([\d,]+) of \1 +1[4-7]\.\d % +no, it needs 1\d more days\n/,
  /headlines, results up to.*\n {4}10 seconds old .* no\n {4}1 minute old .* no\n {4}10 minutes old .* no\n {4}1 hour old .* no\n/,
  /Of \d+ calls that the rules cover \d+ were served \(\d+ %\): [1-9]\d* from the memory of the process, [1-9]\d* from the service,\n +and [1-9]\d* of style_guide by the stub/,
  /agent +\{"base":"EUR","USD":1\.0842\}/,
  /\d+ bytes of AES-256-GCM/,
  /invalidate\(\{ base: 'CHF' \}\):\n +the next call got 1\.\d+\./,
  /exchange_rates (is disabled: failed: |has no currency left to serve)/,
  /took \d+ s to end it\. In that time [1-9]\d* calls were served, [1-9]\d* of them with an outdated rate\./,
  /Since then all \d+ calls ran the real tool; style_guide is still served/,
  /shadow +active +gate +proven/,
  /\nFindings\n/,
  /Savings in the last \d+ (seconds|minutes)/,
  // Usually the rates were served more often, and stand first.
  /\n {2}style_guide +[1-9]\d* .*\$\d*\.(0[1-9]|[1-9]\d) .*\n(?: {2}exchange_rates .*\n)? {2}all +[1-9]\d* /,
]

test('six days of history prove a rule on arrival; it is served, and given up when results change; what always changes is never served', async (t) => {
  t.timeout(deadlineMs + foundWithinMs)
  const service = await startService({
    OPTIMIZER_INTERVAL_S: 3,
    OPTIMIZER_TICK_S: 1,
    OPTIMIZER_FINDINGS_S: 5,
    OPTIMIZER_SHARE_PERCENT: 100,
  })
  try {
    const { code, out, err } = await tellStory(service.baseUrl)
    t.is(code, 0, `${err}\n${out}`)
    t.false(out.includes('\u001b'), 'plain where it is no terminal')
    let from = 0
    for (const milestone of milestones) {
      const at = out.slice(from).search(milestone)
      t.true(at >= 0, `${milestone.source} is not told in: ${out.slice(Math.max(0, from - 80))}`)
      from += Math.max(0, at)
    }
    const steps = await service.query<{ tool_name: string; steps: string[]; actors: string[] }>(
      `select d.tool_name, array_agg(t.to_state order by t.at, t.id) as steps, array_agg(distinct t.actor) as actors
       from decisions d join decision_transitions t on t.decision_id = d.id group by d.id order by d.tool_name`,
    )
    t.deepEqual(
      steps.map((one) => ({
        ...one,
        // A rule that steps down may have nothing left to serve before it is disabled.
        steps: one.steps.filter(
          (step, at) => step !== one.steps[at - 1] && !(one.tool_name === 'exchange_rates' && step === 'disabled'),
        ),
      })),
      [
        { tool_name: 'exchange_rates', steps: ['proposed', 'shadow', 'active'], actors: ['gate'] },
        { tool_name: 'headlines', steps: ['proposed', 'shadow', 'disabled'], actors: ['gate'] },
        { tool_name: 'style_guide', steps: ['proposed', 'shadow', 'active'], actors: ['gate'] },
      ],
    )
    const [proof] = await service.query<{ reason: string }>(
      "select t.reason from decision_transitions t where t.to_state = 'active' and t.reason like '%1 hour old%' order by t.at, t.id limit 1",
    )
    const [, blocks, right, trials] = proof?.reason.match(/\((\d+) periods, (\d+) of (\d+) trials right\)$/) ?? []
    t.true(Number(blocks) >= 143 && Number(blocks) <= 145, proof?.reason)
    t.true(Number(trials) > 3_500 && right === trials, proof?.reason)
    const invalidations = await service.query<{ tool_name: string; is_of_input: boolean }>(
      'select tool_name, input_hash is not null as is_of_input from invalidations',
    )
    t.deepEqual(invalidations, [{ tool_name: 'exchange_rates', is_of_input: true }])
    const [served] = await service.query<{ tools: string[] }>(
      'select array_agg(distinct d.tool_name order by d.tool_name) as tools from events e join decisions d on d.id = e.decision_id where e.served',
    )
    t.deepEqual(served?.tools, ['exchange_rates', 'style_guide'])
    // A scan for findings has two seconds for all types, and begins with another type each minute: a busy machine needs several scans.
    const found =
      "select from findings where type = 'unattested_repeat' and tool_name = 'get_tax_rates' and est_monthly_cost_usd > 3"
    await until(async () => (await service.query(found)).length === 1, foundWithinMs)
  } finally {
    await service.stop()
  }
})
