// The request and response schemas of a workspace's prices.
import { z } from 'zod'
import { canonicalProvider } from '../../pricing/provider.ts'
import { identityOfPrice, maxPriceNameLength, type WorkspacePrice } from '../../pricing/workspace-prices.ts'
import { dateTimeOut, ifValid, timestamp, trimmedText } from '../../web/shapes.ts'

const maxPrices = 500
/** The longest list of names in ASCII takes about a third of it. */
export const maxPricesBytes = 1_048_576
const maxUsdPerM = 1_000_000

const usd = z.number().min(0).max(maxUsdPerM)
const name = trimmedText(1, maxPriceNameLength)

const about = {
  model:
    'The model of an event, case-insensitive. `*` matches any text: `gpt-4o*`. A name takes precedence over a pattern, a pattern with more other characters over one with fewer, then the earlier row over the later one',
  provider:
    'The provider of an event, under any of its usual names. A row with a provider takes precedence over all rows without',
  input: 'USD for a million input tokens',
  output: 'USD for a million output tokens, reasoning included',
  cached: 'USD for a million input tokens that are read from a cache. Default: the price of input tokens',
  cacheWrite: 'USD for a million input tokens that are written to a cache. Default: the price of input tokens',
  validFrom:
    'To the millisecond. The row applies to events that start at this time or later; without it, to all events. If several rows differ only in this field, the latest one that is not after the start of the event applies',
}

const [earliest, latest] = ['1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']

/** Text with milliseconds that sorts by time and is read back unchanged. */
const validFrom = timestamp
  .transform((us, ctx) => {
    const ms = Math.floor(us / 1_000)
    if (ms >= Date.parse(earliest) && ms <= Date.parse(latest)) return new Date(ms).toISOString()
    const isEarly = ms < Date.parse(earliest)
    ctx.addIssue({
      code: 'custom',
      message: `Input should be ${isEarly ? `greater than or equal to ${earliest}` : `less than or equal to ${latest}`}`,
      params: isEarly
        ? { type: 'greater_than_equal', ctx: { ge: earliest } }
        : { type: 'less_than_equal', ctx: { le: latest } },
    })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'date-time' })

const providerIn = name.superRefine((text, ctx) => {
  if (canonicalProvider(text) !== null) return
  const message = 'Input should be a provider of models; events never have this name as their provider'
  ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
})

const priceIn = z
  .object({
    model: name.meta({ description: about.model, examples: ['my-llama-*'] }),
    provider: providerIn.nullish().meta({ description: about.provider, examples: ['vllm'] }),
    input_usd_per_m: usd.meta({ description: about.input, examples: [0.2] }),
    output_usd_per_m: usd.meta({ description: about.output, examples: [0.8] }),
    cached_usd_per_m: usd.nullish().meta({ description: about.cached }),
    cache_write_usd_per_m: usd.nullish().meta({ description: about.cacheWrite }),
    valid_from: validFrom.nullish().meta({ description: about.validFrom }),
  })
  .meta({ id: 'WorkspacePriceInput' })

/** The whole list. Omitted values become null. */
export const pricesIn = z
  .array(priceIn)
  .max(maxPrices)
  .superRefine((rows, ctx) => {
    const seen = new Map<string, number>()
    for (const [at, row] of rows.entries()) {
      const identity = identityOfPrice(toPrice(row))
      const first = seen.get(identity)
      if (first === undefined) seen.set(identity, at)
      else
        ctx.addIssue({
          code: 'custom',
          message: `Input has the model, provider and valid_from of item ${first}`,
          params: { type: 'value_error', ctx: { same_as: first } },
          path: [at],
        })
    }
  }, ifValid)

export const toPrice = (row: z.output<typeof priceIn>): WorkspacePrice => ({
  model: row.model,
  provider: row.provider ?? null,
  input_usd_per_m: row.input_usd_per_m,
  output_usd_per_m: row.output_usd_per_m,
  cached_usd_per_m: row.cached_usd_per_m ?? null,
  cache_write_usd_per_m: row.cache_write_usd_per_m ?? null,
  valid_from: row.valid_from ?? null,
})

export const priceOut = z
  .object({
    model: z.string().meta({ description: about.model }),
    provider: z.string().nullable().meta({ description: about.provider }),
    input_usd_per_m: usd.meta({ description: about.input }),
    output_usd_per_m: usd.meta({ description: about.output }),
    cached_usd_per_m: usd.nullable().meta({ description: about.cached }),
    cache_write_usd_per_m: usd.nullable().meta({ description: about.cacheWrite }),
    valid_from: dateTimeOut.nullable().meta({ description: about.validFrom }),
  })
  .meta({ id: 'WorkspacePrice' })
