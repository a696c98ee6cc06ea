// Reads the name of a provider as senders spell it.
import type { Names } from '../event/names.ts'
import type { Attributes } from '../event/span.ts'
import type { canonicalProvider } from '../pricing/provider.ts'
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
