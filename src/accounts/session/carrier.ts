// How a refresh token travels: in bodies, or, where a page asks for it, in a cookie that its scripts cannot read.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Reply, RequestFacts } from '../../web/route.ts'
import { idleMs, type TokenPair } from './start.ts'

export type Carrier = {
  /** The pair as the body shows it. */
  readonly give: (tokens: TokenPair) => ShownTokens
  /** The token that came, given what the body has. A cookie that is not there reads as one that is not valid. */
  readonly take: (body: Body) => Outcome<string, 'body_missing' | 'token_missing'>
  /** The session has ended. */
  readonly drop: () => void
}

type Body = { readonly refresh_token?: string | undefined } | undefined

type ShownTokens = {
  readonly access_token: string
  readonly refresh_token?: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
}

export const sessionHeader = 'x-tracewright-session'
// Browsers take a cookie of this name only from HTTPS or the own machine, for this host alone and all of its paths.
const cookieName = '__Host-tw_refresh'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

type Call = { readonly request: RequestFacts; readonly reply: Reply }

/**
 * Without the header `x-tracewright-session: cookie` the token is in bodies. With it, a page of another origin is refused: it cannot send
 * the header unless CORS lets it, and its Origin tells on it. `isSigningIn`: nothing that the browser sends by itself counts yet, so
 * clients that tell no origin are let through.
 */
export function chooseCarrier(
  publicUrl: string,
  { request, reply }: Call,
  { isSigningIn }: { readonly isSigningIn: boolean },
): Outcome<Carrier, 'foreign_origin'> {
  if (request.header(sessionHeader) !== 'cookie') return ok(inBodies)
  const origin = request.header('origin') || undefined
  const isOurs = origin === undefined ? isSigningIn : isOwnOrigin(origin, publicUrl, request.header('host'))
  return isOurs ? ok(inCookie({ request, reply })) : refuse('foreign_origin')
}

const show = ({ accessToken, expiresInS }: TokenPair): ShownTokens => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInS,
})

const inBodies: Carrier = {
  give: (tokens) => ({ ...show(tokens), refresh_token: tokens.refreshToken }),
  take: (body) => {
    if (body === undefined) return refuse('body_missing')
    return body.refresh_token === undefined ? refuse('token_missing') : ok(body.refresh_token)
  },
  drop: () => undefined,
}

function inCookie({ request, reply }: Call): Carrier {
  const write = (value: string, maxAgeS: number): void =>
    reply.setHeader('Set-Cookie', `${cookieName}=${value}; Max-Age=${maxAgeS}; ${attributes}`)
  return {
    give: (tokens) => {
      write(tokens.refreshToken, idleMs / 1_000)
      return show(tokens)
    },
    take: () => ok(readCookie(request.header('cookie') ?? '')),
    drop: () => write('', 0),
  }
}

function readCookie(header: string): string {
  const start = `${cookieName}=`
  const found = header.split(';').find((pair) => pair.trimStart().startsWith(start))
  return found?.trim().slice(start.length) ?? ''
}

/** The public URL's, or that of the host which the request is for: a proxy may end TLS, so its scheme does not count. */
function isOwnOrigin(origin: string, publicUrl: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
