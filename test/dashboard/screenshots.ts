// `npm run screenshots`: every page of the dashboard in both themes, wide and narrow, with the data of the demo and without data. `npm run
// screenshots -- --readme`: only the picture of the README.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ending, launchBrowser, type TestBrowser } from '../_kit/browser.ts'
import { makeCacheFolder, makeDataDir } from '../_kit/data-dir.ts'
import { themes } from '../_kit/page-checks.ts'
import { startProcess } from '../_kit/service-process.ts'
import { until } from '../_kit/until.ts'
import { type Stops, withStops } from '../bench/_stops.ts'
import { openSession, openWorkspace } from '../demo/account.ts'
import { sendMistakes } from '../demo/mistakes.ts'
import { type Options, readOptions } from '../demo/options.ts'
import { sendHistory } from '../demo/send-history.ts'
import { openNarrator } from '../demo/story/narrator.ts'
import { tellStory } from '../demo/story/tell-story.ts'
import {
  type DashboardPage,
  dashboardPages,
  findPlace,
  inviteStranger,
  nowhere,
  openAndSettle,
  type Place,
} from './_pages.ts'
import { signIn } from './_sign-in.ts'

const lifeMs = 20 * 60_000
const minuteMs = 60_000
const sizes = { wide: { width: 1_440, height: 900 }, narrow: { width: 360, height: 740 } } as const
const folder = join(makeCacheFolder(), 'screenshots')
const readmePicture = fileURLToPath(new URL('../../.github/overview.png', import.meta.url))
const readmeBytes = 150 * 1_024

const say = (text: string): void => void process.stdout.write(text)

async function main(stops: Stops): Promise<void> {
  const args = process.argv.slice(2)
  const isForReadme = args.includes('--readme')
  const asked = readOptions(
    [...args.filter((one) => one !== '--readme'), ...(isForReadme ? ['--skip-story'] : [])],
    process.env,
  )
  if (asked === null) return say('npm run screenshots -- [--traces 1500] [--seed 1] [--skip-story] [--readme]\n')
  // Before minutes of work for its pictures: the first run downloads it.
  const browser = stops.add(await launchBrowser(), (one) => one.stop())
  const dataDir = makeDataDir({ teardown: (remove) => void stops.add(null, async () => remove()) })
  const settings = { DATA_DIR: join(dataDir, 'data'), DASHBOARD: 'build', AUTH_RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const service = stops.add(await startProcess(settings, lifeMs), (one) => one.end('SIGTERM'))
  const options = { ...asked, url: service.baseUrl }
  const { stranger = nowhere, ...places } = await fill(options)
  // The service builds the dashboard while it receives the data.
  await until(async () => (await fetch(options.url, { headers: { accept: 'text/html' } })).ok)
  if (isForReadme) return await shootReadme(browser, options, places['fleet'] ?? nowhere)
  mkdirSync(folder, { recursive: true })
  const open = dashboardPages.filter(({ isOpen }) => isOpen)
  const closed = dashboardPages.filter(({ isOpen }) => !isOpen)
  await shoot(browser, options.url, 'stranger', { pages: open, place: stranger, person: null })
  for (const [name, place] of Object.entries(places)) {
    await shoot(browser, options.url, name, { pages: closed, place, person: options })
  }
  say(`The pictures are in ${folder}\n`)
}

/** Returns the workspaces to show, by the names of their pictures. */
async function fill(options: Options): Promise<Record<string, Place>> {
  const { url, seed } = options
  const session = await openSession(options)
  const empty = await openWorkspace(url, session, 'Empty')
  const fleet = await openWorkspace(url, session, 'Demo fleet')
  const history = { ...options, endMs: Date.now() - 4 * minuteMs }
  await sendHistory(url, fleet.key, history)
  await sendMistakes(url, fleet.key, history)
  const filled = await findPlace(url, session.accessToken, fleet.workspaceId)
  const places: Record<string, Place> = {
    empty: { ...nowhere, workspaceId: empty.workspaceId },
    fleet: filled,
    stranger: await inviteStranger(url, session.accessToken, filled.orgId ?? ''),
  }
  if (!options.story) return places
  const story = await openWorkspace(url, session, 'Demo story')
  await tellStory(url, story, seed, openNarrator(say))
  return { ...places, story: await findPlace(url, story.accessToken, story.workspaceId) }
}

/** The overview of the fleet. Throws if the file is larger than a README should load. */
async function shootReadme(browser: TestBrowser, person: Options, { workspaceId }: Place): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const viewport = { width: 1_440, height: 590 }
  const { page } = await browser.open({ teardown: (one) => void ends.push(one) }, person.url, {
    viewport,
    colorScheme: 'light',
  })
  await signIn(page, person.url, person)
  await openAndSettle(page, `/w/${workspaceId}?range=7d`)
  await page.screenshot({ path: readmePicture })
  for (const one of ends) await one()
  const { size } = statSync(readmePicture)
  if (size > readmeBytes) throw new Error(`the picture has ${size} bytes, more than ${readmeBytes}`)
  say(`${readmePicture}: ${size} bytes\n`)
}

type View = { readonly pages: readonly DashboardPage[]; readonly place: Place; readonly person: Options | null }

async function shoot(browser: TestBrowser, url: string, name: string, { pages, place, person }: View): Promise<void> {
  for (const colorScheme of themes) {
    for (const [width, viewport] of Object.entries(sizes)) {
      const ends: (() => Promise<void>)[] = []
      const end: Ending = { teardown: (one) => void ends.push(one) }
      const { page } = await browser.open(end, url, { viewport, colorScheme })
      if (person !== null) await signIn(page, url, person)
      for (const { name: folderName, part, path } of pages) {
        const address = path(place)
        if (address === null) continue
        await openAndSettle(page, address)
        await page.screenshot({
          path: join(folder, `${[folderName, part].filter(Boolean).join('-')}-${name}-${colorScheme}-${width}.png`),
          fullPage: true,
        })
      }
      // A picture is useful even if the page reports an error.
      for (const one of ends) await one().catch((error: unknown) => say(`${name}: ${String(error)}\n`))
    }
  }
}

await withStops(main)
