// The cast of the story: two agents and their tools. Each tool belongs to one agent, since a rule applies to the tool of one agent.
export const quoter = 'quote-writer'
export const briefer = 'market-briefer'

export const toolNames = ['exchange_rates', 'headlines', 'style_guide', 'get_tax_rates'] as const
export type ToolName = (typeof toolNames)[number]

/** Cost of one call. */
export const costsUsd: Readonly<Record<ToolName, number>> = {
  exchange_rates: 0.01,
  headlines: 0.004,
  style_guide: 0.002,
  get_tax_rates: 0.001,
}

/** Its results do not change until the exchange opens. */
export const steady: ToolName = 'exchange_rates'
/** Its results stay the same for some seconds only. */
export const volatile: ToolName = 'headlines'
/** No model uses its results. */
export const unread: ToolName = 'style_guide'
/** Its results stay the same for years, but its owner does not attest it. */
export const unattested: ToolName = 'get_tax_rates'
