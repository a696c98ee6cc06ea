// The command-line options of the demo.
import { parseArgs } from 'node:util'
import { CommandFault, orUsage, wholeNumber } from '../_kit/command.ts'

export type Options = {
  /** Without a slash at the end. */
  readonly url: string
  readonly days: number
  readonly traces: number
  readonly seed: number
  readonly email: string
  readonly password: string
  /** Sends the history and shows the resulting figures. */
  readonly history: boolean
  /** Runs the story of the rules. */
  readonly story: boolean
}

export const usage = `Sends the traces of a fleet of agents to a running Tracewright service. Then sends six days of traces of two other
agents, which prove two rules, and runs these agents: calls are served, results change, and a rule is disabled.

  npm run demo -- [--url http://localhost:8080] [--days 6] [--traces 1500] [--seed 1]
                  [--email demo@example.com] [--password …] [--skip-story | --story-only]

  --url       address of the service; default: port TRACEWRIGHT_PORT of this machine, or 8080
  --days      days of history of the fleet, up to now; the service accepts the last 7
  --traces    number of agent runs
  --seed      the same seed gives the same traces at any time, ending at the current minute
  --email     account to use; the demo creates it if it does not exist
  --skip-story, --story-only
              run only one part: the days of history, or the story of the rules, which takes one to two minutes
`

/** Reads the options; returns null if help is requested. Throws a CommandFault that says what is wrong. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options | null {
  const { values } = parse(args, env['TRACEWRIGHT_PORT'] ?? '8080')
  if (values.help) return null
  if (!URL.canParse(values.url) || !values.url.startsWith('http')) {
    throw new CommandFault(`--url must be an address such as http://localhost:8080, not "${values.url}".`)
  }
  if (values['skip-story'] && values['story-only'])
    throw new CommandFault('--skip-story and --story-only exclude each other; use only one.')
  return {
    url: values.url.replace(/\/+$/, ''),
    days: wholeNumber('days', values.days, 1, 6),
    traces: wholeNumber('traces', values.traces, 1, 20_000),
    seed: wholeNumber('seed', values.seed, 0, 4_294_967_295),
    email: values.email,
    password: values.password,
    history: !values['story-only'],
    story: !values['skip-story'],
  }
}

const parse = (args: readonly string[], port: string) =>
  orUsage(
    () =>
      parseArgs({
        args: [...args],
        options: {
          url: { type: 'string', default: `http://localhost:${port}` },
          days: { type: 'string', default: '6' },
          traces: { type: 'string', default: '1500' },
          seed: { type: 'string', default: '1' },
          email: { type: 'string', default: 'demo@example.com' },
          password: { type: 'string', default: 'a-fleet-of-eight-agents' },
          'skip-story': { type: 'boolean', default: false },
          'story-only': { type: 'boolean', default: false },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }),
    usage,
  )
