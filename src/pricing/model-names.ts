// Lists the names under which a price list may contain the model that a sender reports.
import { canonicalProvider, isSelfHosted, priceListOf } from './provider.ts'

/** One look-up in the price lists: a name in one list, or in all lists where `list` is null. */
export type PriceListLookup = { readonly list: string | null; readonly name: string }

type Variant = { readonly hint: string | null; readonly name: string }

const maxVariants = 8

const resourcePath = /(?:^|\/)models\/([^/]+)$/
const prefixed = /^([^/:]+)([/:])(.+)$/
/** The region, which is optional, and the vendor in the name of a model on Bedrock. */
const bedrockStart =
  '(?:(?:us-gov|us|eu|apac|ap|jp|au|ca|sa|af|me|global)\\.)?' +
  '((?:ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|nvidia|openai|qwen|stability|twelvelabs|writer|zai)\\.)'
export const bedrockPrefix = new RegExp(`^${bedrockStart}`)
const bedrock = new RegExp(`^${bedrockStart}([^:]+?)(?:-v\\d+)?(?::.*)?$`)
const dated = /(?:-20\d\d-?[01]\d-?[0-3]\d|@[^@]+)$/

type Lists = (list: string) => boolean

function bedrockVariants(name: string): Variant[] {
  const [, vendor, model] = bedrock.exec(name) ?? []
  if (vendor === undefined || model === undefined) return []
  return [name, vendor + model, model].map((each) => ({ hint: 'aws', name: each }))
}

/** Splits `provider/model`, `provider:model` and `ft:base:owner::id`. A colon splits only if the text before it is a known provider. */
function prefixVariants({ hint, name }: Variant, hasList: Lists): Variant[] {
  const [, front = '', mark, rest = ''] = prefixed.exec(name) ?? []
  if (front === 'ft')
    return [
      { hint: 'openai', name },
      { hint: 'openai', name: rest.split(':', 1)[0] ?? rest },
    ]
  const provider = front === '' ? null : canonicalProvider(front)
  const list = provider === null ? null : priceListOf(provider)
  if (list !== null && hasList(list)) return [{ hint: list, name: rest }]
  return mark === '/' ? [{ hint, name: rest }] : []
}

function nextVariants(variant: Variant, hasList: Lists): Variant[] {
  const { hint, name } = variant
  const next: Variant[] = []
  const resource = resourcePath.exec(name)?.[1]
  if (resource !== undefined) next.push({ hint, name: resource })
  if (name.startsWith('arn:')) next.push({ hint: 'aws', name: name.slice(name.lastIndexOf('/') + 1) })
  else next.push(...prefixVariants(variant, hasList), ...bedrockVariants(name))
  if (dated.test(name)) next.push({ hint, name: name.replace(dated, '') })
  if (name.includes('.')) next.push({ hint, name: name.replaceAll('.', '-') })
  return next
}

function spell(model: string, hasList: Lists): Variant[] {
  const variants: Variant[] = [{ hint: null, name: model }]
  const seen = new Set([`\0${model}`])
  for (let i = 0; i < variants.length && variants.length < maxVariants; i++) {
    const variant = variants[i]
    if (variant === undefined) break
    for (const next of nextVariants(variant, hasList)) {
      const key = `${next.hint ?? ''}\0${next.name}`
      if (next.name === '' || seen.has(key)) continue
      seen.add(key)
      variants.push(next)
    }
  }
  return variants
}

const runsLocally = (provider: string | null): boolean => provider !== null && isSelfHosted(provider)

/**
 * Returns the look-ups to try, best first: the name as sent, then simpler and simpler spellings, each in the list of the provider or of
 * the provider that the name contains; then all spellings without a provider. At most about 20. Empty for a self-hosted model, which must
 * not get the price of a hosted one. `provider` is as sent. `hasList` returns whether a list exists.
 */
export function candidatesOf(provider: string | null, model: string, hasList: Lists): PriceListLookup[] {
  const name = model.trim().toLowerCase()
  const canonical = provider === null ? null : canonicalProvider(provider)
  const front = prefixed.exec(name)?.[1]
  if (name === '' || runsLocally(canonical) || (front !== undefined && runsLocally(canonicalProvider(front)))) return []
  const own = canonical === null ? null : priceListOf(canonical)
  const variants = spell(name, hasList)
  const named = variants.map((variant) => ({ list: variant.hint ?? own, name: variant.name }))
  const names = new Set(variants.map((variant) => variant.name))
  return [
    ...named.filter((candidate) => candidate.list !== null),
    ...[...names].map((each) => ({ list: null, name: each })),
  ]
}
