// Renders the chart of deploy/helm with helm. Without helm, it reads the last rendered manifests,
// whose digest shows whether they are current.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, stringify } from 'yaml'

/** One Kubernetes object as in the YAML. */
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, unknown>
export type ValuesSet = 'default' | 'production' | 'external'
export const valuesSets: readonly ValuesSet[] = ['default', 'production', 'external']
/** `open` leaves decisions to the platform that the other sets make, so it has separate checks. */
export type RenderedSet = ValuesSet | 'open'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const chartFolder = join(root, 'deploy/helm/tracewright')
const cacheFolder = join(root, '.cache/helm')
const program = 'helm.sh/helm/v3/cmd/helm@v3.21.4'
const buildDeadlineMs = 20 * 60_000
// Any version that the chart supports. A helm that is built by Go assumes a very old cluster.
const kubernetesVersion = '1.33.0'

/** Returns the helm 3 of TEST_HELM, of the PATH, or the one that `npm run chart` has built; null where there is none. */
export function findHelm(): string | null {
  const candidates = [process.env['TEST_HELM'], 'helm', join(cacheFolder, 'helm')]
  const isHelm3 = (path: string): boolean =>
    (spawnSync(path, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' }).stdout ?? '').startsWith('v3.')
  return candidates.find((path) => path !== undefined && isHelm3(path)) ?? null
}

/** Finds or builds helm, which takes minutes the first time. Throws an error that says how to install one. */
export function installHelm(): string {
  const found = findHelm()
  if (found !== null) return found
  mkdirSync(cacheFolder, { recursive: true })
  const env = { ...process.env, GOBIN: cacheFolder }
  const { status } = spawnSync('go', ['install', program], { env, stdio: 'inherit', timeout: buildDeadlineMs })
  if (status !== 0)
    throw new Error(
      `There is no helm: put helm 3 on the PATH, name it in TEST_HELM, or install Go, which builds ${program} from its module proxy`,
    )
  return join(cacheFolder, 'helm')
}

const valuesFile = (set: RenderedSet): string => join(root, `test/deploy/values/${set}.yaml`)
const renderedFile = (set: RenderedSet): string => join(root, `test/deploy/rendered/${set}.yaml`)

/**
 * Returns helm's output for the values of a file and of `--set`, as for an install of `release`; `flags` are passed to helm. Throws helm's
 * error. `chart`: a copy of the chart.
 */
export function runHelm(
  helm: string,
  set: RenderedSet,
  settings: readonly string[] = [],
  flags: readonly string[] = [],
  release = 'tw',
  chart = chartFolder,
): Manifest[] {
  const args = ['template', release, chart, '--namespace', 'prod', '--kube-version', kubernetesVersion, ...flags]
  const chosen = ['--values', valuesFile(set), ...settings.flatMap((one) => ['--set', one])]
  const result = spawnSync(helm, [...args, ...chosen], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(result.stderr)
  return parse(result.stdout)
}

/** Renders the manifests of a set, without contents that are separate files; secret words are replaced by x. */
export function renderSet(helm: string, set: RenderedSet): Manifest[] {
  return forgetFiles(maskWords(runHelm(helm, set)))
}

/** Reads the last rendered manifests. Throws where the chart or the values have changed since. */
export function readRendered(set: RenderedSet): Manifest[] {
  const path = renderedFile(set)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (!text.startsWith(digestLine(set)))
    throw new Error(`The chart or its values have changed since ${set}.yaml was rendered: run \`npm run chart\``)
  return parse(text)
}

export function writeRendered(helm: string, set: RenderedSet): void {
  const documents = renderSet(helm, set).map((manifest) =>
    stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }),
  )
  writeFileSync(renderedFile(set), `${digestLine(set)}${documents.join('---\n')}`)
}

/** Returns the digest of all files that determine the rendered manifests of a set, except alerts and the dashboard, which are not templates. */
function digestLine(set: RenderedSet): string {
  const hash = createHash('sha256')
  const files = globSync(['*.yaml', '*.json', 'templates/*'], { cwd: chartFolder }).sort()
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(chartFolder, file)))
  return `# Written by npm run chart. ${hash.update(readFileSync(valuesFile(set))).digest('hex')}\n`
}

function parse(text: string): Manifest[] {
  return parseAllDocuments(text, { version: '1.1', uniqueKeys: true }).flatMap((document) => {
    if ('errors' in document && document.errors.length > 0) throw new Error(document.errors.join('\n'))
    const manifest = document.toJS() as Manifest | null
    return manifest === null ? [] : [manifest]
  })
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8')
const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Returns the data of a Secret in plain text. */
export const readSecretData = (secret: Manifest): Record<string, string> =>
  Object.fromEntries(Object.entries(secret['data'] as Record<string, string>).map(([key, text]) => [key, decode(text)]))

/** Replaces the random words of a Secret by x of the same length, wherever they occur in it. */
function maskWords(manifests: readonly Manifest[]): Manifest[] {
  return manifests.map((manifest) => {
    if (manifest.kind !== 'Secret') return manifest
    const data = readSecretData(manifest)
    const words = Object.values(data).filter((value) => /^[A-Za-z0-9]{20,}$/.test(value))
    const mask = (text: string): string =>
      words.reduce((masked, word) => masked.replaceAll(word, 'x'.repeat(word.length)), text)
    return {
      ...manifest,
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encode(mask(text))])),
    }
  })
}

function forgetFiles(manifests: readonly Manifest[]): Manifest[] {
  return manifests.map((manifest) => {
    if (manifest.kind === 'PrometheusRule') return { ...manifest, spec: {} }
    return manifest.metadata.name.endsWith('-dashboard') ? { ...manifest, data: {} } : manifest
  })
}
