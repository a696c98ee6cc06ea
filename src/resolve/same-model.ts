// Decides whether two spans name the same model: one may know only the requested name, the other the name of the model that answered.
import { bedrockPrefix } from '../pricing/model-names.ts'

/** `model`: the one that answered, else the requested one. */
export type NamedModel = { readonly model: string | null; readonly requestModel: string | null }

type ModelName = { readonly base: string; readonly date: string | null; readonly version: string | null }

/** `claude-3-5-sonnet-20241022-v2:0`, `claude-3-5-sonnet-latest`, `gpt-3.5-turbo-0125` */
const parts = /^(.+?)(?:-latest|[-@](20\d{2}-?\d{2}-?\d{2}|\d{4}))?(?:-v(\d+)(?::\w+)*)?$/

function parse(name: string): ModelName {
  const plain = name.replace(/^.*\//, '').toLowerCase().replace(bedrockPrefix, '')
  const [, base = plain, date = null, version = null] = parts.exec(plain) ?? []
  return { base, date: date?.replaceAll('-', '') ?? null, version }
}

/** Whether two names may mean the same model: a name without a date or version means any. */
const isSameName = (one: ModelName, other: ModelName): boolean =>
  one.base === other.base &&
  (one.version === null || other.version === null || one.version === other.version) &&
  (one.date === null || other.date === null || one.date.endsWith(other.date) || other.date.endsWith(one.date))

/** The most models that are kept. It is a limit because senders choose the names. */
const maxKnown = 1_024
const maxNameLength = 256

type Known = { readonly requestModel: string | null; readonly names: readonly ModelName[] }

/** The last names of each model: the same few models are compared again and again. */
const known = new Map<string | null, Known>()
/** The names of other spans. Each is compared with many others, but its names are taken apart only once. */
const knownOfSpan = new WeakMap<NamedModel, readonly ModelName[]>()

function namesOf(span: NamedModel): readonly ModelName[] {
  const { model, requestModel } = span
  const last = known.get(model)
  if (last !== undefined && last.requestModel === requestModel) return last.names
  const before = knownOfSpan.get(span)
  if (before !== undefined) return before
  const names = listNames(span)
  knownOfSpan.set(span, names)
  if ((model?.length ?? 0) > maxNameLength || (requestModel?.length ?? 0) > maxNameLength) return names
  if (known.size >= maxKnown) known.clear()
  known.set(model, { requestModel, names })
  return names
}

function listNames({ model, requestModel }: NamedModel): readonly ModelName[] {
  const names = [model, requestModel].filter((name) => name !== null).map(parse)
  const [first, second] = names
  return first !== undefined && second !== undefined && isSameName(first, second) ? [first] : names
}

/**
 * Returns whether any name of one span means the same model as any name of the other; null where one of them names none. If both name the
 * model that answered and another one that was requested, only the models that answered are compared: an alias may stand for several.
 */
export function isSameModel(one: NamedModel, other: NamedModel): boolean | null {
  if (one.model !== null && one.model === other.model) return true
  const [ones, others] = [namesOf(one), namesOf(other)]
  if (ones.length === 0 || others.length === 0) return null
  if (ones.length > 1 && others.length > 1) return isSameName(ones[0] as ModelName, others[0] as ModelName)
  return ones.some((left) => others.some((right) => isSameName(left, right)))
}
