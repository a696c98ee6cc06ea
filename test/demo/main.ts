// `npm run demo`: sends the fleet's last days to a running service, shows the resulting figures, and runs the story of its rules.
import { runCommand } from '../_kit/command.ts'
import { openSession, openWorkspace, type Session, type Workspace } from './account.ts'
import { requireService } from './interface.ts'
import { sendMistakes } from './mistakes.ts'
import { type Options, readOptions, usage } from './options.ts'
import { type Sent, sendHistory } from './send-history.ts'
import { describeWorkspace } from './show-summary.ts'
import { openNarrator } from './story/narrator.ts'
import { tellStory } from './story/tell-story.ts'
import { table } from './table.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

const say = (text = ''): boolean => process.stdout.write(`${text}\n`)

async function run(options: Options): Promise<void> {
  const { url } = options
  await requireService(url)
  const session = await openSession(options)
  say(`${session.isNew ? 'Signed up' : 'Signed in'} as ${options.email} (password: ${options.password})`)
  const fleet = options.history ? await showHistory(options, session) : null
  const stage = options.story ? await showStory(options) : null
  sayDashboard(options, [fleet, stage])
  const workspace = fleet ?? stage
  if (workspace !== null) sayMore(url, workspace, options)
}

/** Prints the links to the dashboard. */
function sayDashboard({ url, email, password }: Options, workspaces: readonly (Workspace | null)[]): void {
  const shown = workspaces.filter((workspace) => workspace !== null)
  const rows = shown.map(({ workspaceName, workspaceId }) => [workspaceName, `${url}/w/${workspaceId}?range=7d`])
  say(`
Open the dashboard:

  ${url}/
  Sign in as ${email} with the password ${password}
`)
  say(table(rows, [0, 1]))
}

async function showHistory(options: Options, session: Session): Promise<Workspace> {
  const { url } = options
  const workspace = await openWorkspace(url, session, 'Demo fleet')
  say(`Workspace "${workspace.workspaceName}" ${workspace.workspaceId}`)
  // A run lasts some minutes at most, so none reaches into the future.
  const endMs = Math.floor(Date.now() / minuteMs - 4) * minuteMs
  const sent = await sendHistory(url, workspace.key, { ...options, endMs })
  saySent(sent, options)
  const { rejected, repeated } = await sendMistakes(url, workspace.key, { ...options, endMs })
  say(
    `Then ${rejected} spans with wrong times, which were rejected, and ${repeated} spans once more, which were not stored`,
  )
  say('twice: the page Usage shows both, with the reasons.')
  say('\nWhat Tracewright shows:\n')
  say(await describeWorkspace(url, workspace, endMs - (options.days + 1) * dayMs, Date.now()))
  return workspace
}

/** Runs the story in a new workspace each time: a disabled rule is not proposed again for a month. */
async function showStory(options: Options): Promise<Workspace> {
  const name = `Demo story ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`
  const workspace = await openWorkspace(options.url, await openSession(options), name)
  await tellStory(
    options.url,
    workspace,
    options.seed,
    openNarrator((text) => void process.stdout.write(text)),
  )
  return workspace
}

function saySent(sent: Sent, { days }: Options): void {
  const kib = Math.round(sent.bytes / 1_024)
  const rate = Math.round(sent.spans / sent.seconds)
  say(
    `Sent ${sent.traces} traces of ${days} days: ${sent.spans} spans in ${sent.requests} requests, ${kib} KiB gzipped,`,
  )
  say(`in ${sent.seconds.toFixed(1)} s (${rate} spans a second); ${sent.rejected} spans were rejected.`)
  if (sent.message !== '') say(`The service reported: ${sent.message}`)
}

function sayMore(url: string, { workspaceId, key }: Workspace, { email, password }: Options): void {
  const workspace = `${url}/v1/workspaces/${workspaceId}`
  const login = JSON.stringify({ email, password })
  say(`
Read more over the API (a session token is valid for ten minutes):

  TOKEN=$(curl -s ${url}/v1/auth/login -H 'content-type: application/json' -d '${login}' \\
    | node -pe 'JSON.parse(require("fs").readFileSync(0)).access_token')
  curl -s "${workspace}/agents" -H "authorization: Bearer $TOKEN"
  curl -s "${workspace}/stats/timeseries?interval=1h&group_by=model" -H "authorization: Bearer $TOKEN"
  curl -s "${workspace}/traces?limit=5&status=error" -H "authorization: Bearer $TOKEN"
  curl -s "${workspace}/findings" -H "authorization: Bearer $TOKEN"
  curl -s "${workspace}/decisions" -H "authorization: Bearer $TOKEN"

Send your own traces:

  export OTEL_EXPORTER_OTLP_ENDPOINT=${url}/v1/otlp
  export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${key}"`)
}

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === null) say(usage)
  else await run(options)
})
