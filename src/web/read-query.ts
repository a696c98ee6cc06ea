// Reads the query of a URL.
import type { Context } from 'koa'

/**
 * A parameter that is given twice has its last value, as in the service that this interface descends from. Not `ctx.query`, which searches
 * all parameters once for each of them: a URL of 8 KiB then takes up to half a second.
 */
export const readQuery = ({ querystring }: Pick<Context, 'querystring'>): Record<string, string | undefined> =>
  Object.fromEntries(new URLSearchParams(querystring))
