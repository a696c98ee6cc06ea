// Reads the name of a provider as senders spell it.
import { anyOf, type Names } from '../event/names.ts'
import type { Attributes } from '../event/span.ts'
import { canonicalProvider } from '../pricing/provider.ts'
import { among, asText } from './attribute.ts'

/** Returns the canonical name of the first of `names` that `canonical` accepts as a provider; null where there is none. */
export function firstProvider(
  attributes: Attributes,
  names: Names,
  canonical: typeof canonicalProvider,
): string | null {
  for (const key of among(attributes, names)) {
    const raw = asText(attributes.get(key))
    const provider = raw === null ? null : canonical(raw)
    if (provider !== null) return provider
  }
  return null
}

const standardNames = anyOf('gen_ai.provider.name')

/** The canonical provider that a span states under OpenTelemetry's name; null where it states none. For dialects with rules by provider. */
export const providerOf = ({ attributes }: { readonly attributes: Attributes }): string | null =>
  firstProvider(attributes, standardNames, canonicalProvider)
