// Evaluates alert rules on series of a test, with Prometheus' promtool.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { unpackPackages } from './debian-program.ts'

export type AlertScenario = {
  readonly name: string
  /** One sample a minute, in promtool's notation: `1x10` is eleven times 1, `_x5` is five missing samples. */
  readonly series: Readonly<Record<string, string>>
  /** The time of the evaluation, such as `10m`. */
  readonly at: string
  /** The labels of all alerts that fire at that time, by name. No other alert may fire. */
  readonly firing: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>
}

/**
 * Finds promtool: that of TEST_PROMTOOL, of the PATH, or of Debian's package, unpacked below .cache. Throws an error that says how to
 * install one.
 */
export function findPromtool(): string {
  const candidates = [process.env['TEST_PROMTOOL'], 'promtool']
  const found = candidates.find((path) => path !== undefined && spawnSync(path, ['--version']).status === 0)
  if (found !== undefined) return found
  try {
    return join(
      unpackPackages('prometheus', () => ['prometheus']),
      'usr/bin/promtool',
    )
  } catch (error) {
    throw new Error(
      `There is no promtool for the tests (${(error as Error).message}): put it on the PATH, name it in TEST_PROMTOOL, or run ` +
        'them on a Debian whose apt can download the package prometheus (after `apt-get update`)',
      { cause: error },
    )
  }
}

type Rule = { readonly alert: string; readonly labels: object; readonly annotations?: object }
type RuleFile = { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] }

/** Returns promtool's errors; empty where every alert fires as expected. `names`: the alerts to evaluate, once an interval. */
export function judgeAlerts(
  rulesFile: string,
  names: readonly string[],
  scenarios: readonly AlertScenario[],
  evaluationInterval = '1m',
): string {
  const promtool = findPromtool()
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  try {
    const rules = readBareRules(rulesFile, names)
    writeFileSync(join(folder, 'rules.yaml'), stringify(rules))
    const severities = new Map(rules.groups.flatMap((group) => group.rules).map(({ alert, labels }) => [alert, labels]))
    const tests = scenarios.map(({ name, series, at, firing }) => ({
      name,
      interval: '1m',
      input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
      alert_rule_test: names.map((alertname) => ({
        eval_time: at,
        alertname,
        exp_alerts: (firing[alertname] ?? []).map((labels) => ({
          exp_labels: { ...severities.get(alertname), ...labels },
        })),
      })),
    }))
    const file = join(folder, 'scenarios.yaml')
    writeFileSync(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: evaluationInterval, tests }))
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' })
    return status === 0 ? '' : `${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the rules of these names without their annotations, which promtool would compare word for word. */
function readBareRules(file: string, names: readonly string[]): RuleFile {
  const { groups } = parse(readFileSync(file, 'utf8')) as RuleFile
  const bare = (rules: readonly Rule[]): Rule[] =>
    rules.filter(({ alert }) => names.includes(alert)).map(({ annotations: _texts, ...rule }) => rule)
  return { groups: groups.map(({ name, rules }) => ({ name, rules: bare(rules) })) }
}
