// The cost of a call of each tool of the fleet to its owner, in USD.
const usdPerCall: Readonly<Record<string, number>> = {
  search_help_centre: 0.002,
  get_customer: 0.0004,
  get_schema: 0.0005,
  get_office_hours: 0.002,
  lookup_company: 0.05,
  web_search: 0.01,
  fetch_page: 0.001,
  read_file: 0.0002,
  list_changed_pages: 0.0005,
  run_sql: 0.004,
  run_tests: 0.03,
  validate_vat_id: 0.01,
  send_mail: 0.0004,
  post_review: 0.0002,
  create_ticket: 0.001,
}

/** Returns the attribute that reports the cost of a call. Throws for a tool without a price. */
export function toolCost(toolName: string): { readonly 'gen_ai.usage.cost': number } {
  const usd = usdPerCall[toolName]
  if (usd === undefined) throw new Error(`no price is known for ${toolName}`)
  return { 'gen_ai.usage.cost': usd }
}
