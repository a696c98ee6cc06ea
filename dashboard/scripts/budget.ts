// How much each page loads, from the manifest of the build.

export type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

export type Manifest = Readonly<Record<string, Chunk>>
export type Figure = { readonly name: string; readonly bytes: number; readonly budget: number }

const kilobyte = 1_024
const firstLoadJs = 190 * kilobyte
const firstLoadCss = 16 * kilobyte
const routeChunk = 60 * kilobyte
const fonts = 50 * kilobyte
const everything = 450 * kilobyte

/** `sizes`: of each file below dist. Every dynamic import counts as one page, with what it brings beside the first load. */
export function measureBuild(manifest: Manifest, sizes: ReadonlyMap<string, number>): readonly Figure[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true)
  const first = collect(manifest, entries)
  const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + (sizes.get(file) ?? 0), 0)
  const ofKind = (files: Iterable<string>, ending: string): string[] =>
    [...files].filter((file) => file.endsWith(ending))
  const lazy = new Set(Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports))
  const pages = [...lazy].toSorted().map((key) => {
    const own = [...collect(manifest, [key])].filter((file) => !first.has(file))
    return { name: key.replace(/^src\//, ''), bytes: sum(ofKind(own, '.js')), budget: routeChunk }
  })
  return [
    { name: 'first load, scripts', bytes: sum(ofKind(first, '.js')), budget: firstLoadJs },
    { name: 'first load, styles', bytes: sum(ofKind(first, '.css')), budget: firstLoadCss },
    ...pages,
    { name: 'fonts', bytes: sum(ofKind(sizes.keys(), '.woff2')), budget: fonts },
    {
      name: 'all scripts and styles',
      bytes: sum([...ofKind(sizes.keys(), '.js'), ...ofKind(sizes.keys(), '.css')]),
      budget: everything,
    },
  ]
}

export const overBudget = (figures: readonly Figure[]): readonly Figure[] =>
  figures.filter(({ bytes, budget }) => bytes > budget)

/** The files that loading these chunks loads. */
function collect(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (chunk === undefined || seen.has(key)) return
    seen.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return files
}
