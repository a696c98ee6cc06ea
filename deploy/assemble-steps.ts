// Floor 4. Reads a Dockerfile into its stages, as far as ours goes: a word that nothing here performs is refused, so that nothing is passed over.

export type Step = {
  readonly word: Word
  /** `--from=build` is `from: 'build'`. */
  readonly flags: Readonly<Record<string, string>>
  /** What follows the flags, variables filled in. */
  readonly rest: string
  /** The words of the form `["a", "b"]`, which no shell reads; else null. */
  readonly exec: readonly string[] | null
}

export type Stage = { readonly name: string; readonly base: string; readonly steps: readonly Step[] }

const words = [
  'ARG',
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'LABEL',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
] as const
type Word = (typeof words)[number]

/** The stages in order; the last has the name '' where it has none. Throws where a line is not of the few kinds that are known. */
export function readDockerfile(text: string): Stage[] {
  const before: Record<string, string> = {}
  const stages: (Stage & { steps: Step[] })[] = []
  let known: Record<string, string> = {}
  for (const line of joinLines(text)) {
    const step = readStep(line, { ...before, ...known })
    const stage = stages.at(-1)
    if (step.word === 'FROM') {
      const [base = '', as, name = ''] = step.rest.split(/\s+/)
      if (as !== undefined && as.toUpperCase() !== 'AS')
        throw new Error(`cannot parse this line of the Dockerfile: ${line}`)
      stages.push({ name, base, steps: [] })
      known = {}
    } else if (step.word === 'ARG') Object.assign(stage === undefined ? before : known, readPairs(step.rest))
    else if (stage === undefined)
      throw new Error(`this line of the Dockerfile must not stand before the first FROM: ${line}`)
    else stage.steps.push(step)
  }
  return stages
}

/** The last step of a stage with this word: what is said again replaces what was said before. */
export const findLast = (stage: Stage, word: Word): Step | undefined =>
  stage.steps.findLast((step) => step.word === word)

/** All `NAME=value` of a step, quotes taken off. */
export function readPairs(text: string): Record<string, string> {
  const pairs = text.matchAll(/([A-Za-z0-9_.]+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

function joinLines(text: string): string[] {
  const kept = text.split('\n').filter((line) => !/^\s*#/.test(line))
  return kept
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function readStep(line: string, known: Readonly<Record<string, string>>): Step {
  const [, word = '', tail = ''] = /^([A-Za-z]+)\s+(.*)$/.exec(line) ?? []
  if (!isWord(word)) throw new Error(`cannot parse this line of the Dockerfile: ${line}`)
  const flags: Record<string, string> = {}
  let rest = tail
  for (let flag = readFlag(rest); flag !== null; flag = readFlag(rest)) {
    flags[flag.name] = flag.value
    rest = rest.slice(flag.length)
  }
  // Docker leaves the variables of RUN to the shell.
  if (word !== 'RUN') rest = rest.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => readKnown(known, name, line))
  const json = /\[.*\]$/.exec(word === 'HEALTHCHECK' ? rest.replace(/^CMD\s+/, '') : rest)
  return { word, flags, rest, exec: json === null ? null : (JSON.parse(json[0]) as string[]) }
}

const isWord = (word: string): word is Word => (words as readonly string[]).includes(word)

function readFlag(text: string): { name: string; value: string; length: number } | null {
  const match = /^--([a-z-]+)=(\S+)\s+/.exec(text)
  return match === null ? null : { name: match[1] ?? '', value: match[2] ?? '', length: match[0].length }
}

function readKnown(known: Readonly<Record<string, string>>, name: string, line: string): string {
  const value = known[name]
  if (value === undefined) throw new Error(`unknown variable ${name} in this line of the Dockerfile: ${line}`)
  return value
}
