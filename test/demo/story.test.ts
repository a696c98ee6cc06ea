// The story of the rules, as its user runs it, on a service whose loop looks every second.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startService } from '../_kit/serve.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const deadlineMs = 110_000

const tellStory = async (url: string): Promise<{ code: number; out: string; err: string }> =>
  await new Promise((done) => {
    const args = [main, '--story-only', '--url', url]
    execFile(process.execPath, args, { timeout: deadlineMs }, (error, out, err) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err })
    })
  })

/** What is told, in this order. */
const milestones = [
  /exchange_rates is proposed as reuse_identity/,
  /exchange_rates is in shadow/,
  /exchange_rates is active: passed/,
  /The client counts \d+ served calls, \d+ calls held out for measurement, and \d+ misses\./,
  /\n {2}all +[1-9]\d* /,
  /agent +\{"base":"EUR","USD":1\.0842/,
  /\d+ bytes of AES-256-GCM/,
  /exchange_rates is disabled: failed/,
  /Since then all \d+ calls ran the real tool/,
  /active +disabled +gate +failed/,
  /unattested_repeat/,
]

test('rules are proposed, proven, served and given up when answers drift, and what changes is never served', async (t) => {
  const service = await startService({
    OPTIMIZER_INTERVAL_S: 1,
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
      t.true(at >= 0, `${milestone.source} is not told after: ${out.slice(Math.max(0, from - 80), from)}`)
      from += Math.max(0, at)
    }
    const steps = await service.query<{ tool_name: string; steps: string[]; actors: string[] }>(
      `select d.tool_name, array_agg(t.to_state order by t.at, t.id) as steps, array_agg(distinct t.actor) as actors
       from decisions d join decision_transitions t on t.decision_id = d.id group by d.id order by d.tool_name`,
    )
    t.deepEqual(steps, [
      { tool_name: 'exchange_rates', steps: ['proposed', 'shadow', 'active', 'disabled'], actors: ['gate'] },
      { tool_name: 'headlines', steps: ['proposed', 'shadow', 'disabled'], actors: ['gate'] },
      { tool_name: 'style_guide', steps: ['proposed', 'shadow', 'active'], actors: ['gate'] },
    ])
    const [served] = await service.query<{ tools: string[] }>(
      'select array_agg(distinct d.tool_name order by d.tool_name) as tools from events e join decisions d on d.id = e.decision_id where e.served',
    )
    t.deepEqual(served?.tools, ['exchange_rates', 'style_guide'])
  } finally {
    await service.stop()
  }
})
