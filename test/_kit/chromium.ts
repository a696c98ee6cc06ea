// Finds Chromium for the tests: that of TEST_CHROMIUM, an installed one, or Debian's headless one, unpacked below .cache.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { listWithMissing, unpackPackages } from './debian-program.ts'

export type Chromium = {
  readonly path: string
  /** Variables that it needs in addition to the usual environment. */
  readonly env: Readonly<Record<string, string>>
}

const installed = ['/usr/bin/chromium', '/usr/lib/chromium/chromium-headless-shell']
const packages = ['chromium-headless-shell', 'fonts-liberation']
const startDeadlineMs = 90_000

/** Finds or unpacks a Chromium; takes about a minute the first time. Throws an error that says how to install one. */
export function findChromium(): Chromium {
  const given = process.env['TEST_CHROMIUM']
  if (given !== undefined) return { path: given, env: {} }
  const path = installed.find((one) => existsSync(one))
  if (path !== undefined) return { path, env: {} }
  try {
    const chromium = describe(unpackPackages('chromium', () => listWithMissing(...packages)))
    const { status, stderr, error } = run(chromium)
    if (status !== 0) throw new Error(`${chromium.path} does not start: ${error?.message ?? stderr.trim()}`)
    return chromium
  } catch (error) {
    throw new Error(
      `There is no Chromium for the tests (${(error as Error).message}): install it as ${installed[0]}, name one in TEST_CHROMIUM, or run ` +
        `them on a Debian whose apt can download the package ${packages[0]}`,
      { cause: error },
    )
  }
}

/** As `findChromium`, on a thread: this one can answer its servers meanwhile. */
export async function prepareChromium(): Promise<void> {
  const search = 'import(require("node:worker_threads").workerData).then(({ findChromium }) => void findChromium())'
  await once(new Worker(search, { eval: true, workerData: import.meta.url }), 'exit')
}

const run = ({ path, env }: Chromium) =>
  spawnSync(path, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8', timeout: startDeadlineMs })

function describe(folder: string): Chromium {
  const fonts = writeFonts(folder)
  const libraries = globSync('usr/lib/*-linux-gnu{,/pulseaudio}', { cwd: folder }).map((one) => join(folder, one))
  return {
    path: join(folder, 'usr/lib/chromium/chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fonts },
  }
}

/**
 * Writes the fonts' configuration, also where the folder was copied from another place: without its fonts the browser omits some texts and
 * crashes on others. Returns its path.
 */
function writeFonts(folder: string): string {
  const fonts = join(folder, 'fonts.conf')
  const described = describeFonts(folder)
  if (existsSync(fonts) && readFileSync(fonts, 'utf8') === described) return fonts
  // Test files run in parallel, and a copied folder can share its file with the original, so the file is replaced by a rename.
  const part = `${fonts}.part-${process.pid}`
  writeFileSync(part, described)
  renameSync(part, fonts)
  return fonts
}

/** The same fonts on every machine: those of the package, installed or unpacked. */
const describeFonts = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${folder}/usr/share/fonts/truetype/liberation</dir>
  <dir>/usr/share/fonts/truetype/liberation</dir>
  <cachedir>${folder}/fontconfig</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias binding="same"><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
</fontconfig>
`
