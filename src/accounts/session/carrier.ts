// How a refresh token travels: in bodies, or, if a page requests it, in a cookie that scripts cannot read.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { ReplyHeaders, RequestFacts } from '../../web/route.ts'
import type { TokenPair } from './start.ts'

export type Carrier = {
  /** Returns the tokens for the body. With a cookie, it sets the cookie and leaves the refresh token out. */
  readonly give: (tokens: TokenPair) => ShownTokens
  /** Returns the refresh token of the request. A missing cookie is treated as an invalid token. */
  readonly take: (body: Body) => Outcome<string, 'body_missing' | 'token_missing'>
  /** Call it when the session has ended: deletes the cookie. */
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
// Browsers accept a cookie with this prefix only from HTTPS or from their own machine, and only for this host and all of its paths.
const cookieName = '__Host-tw_refresh'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

type Call = { readonly request: RequestFacts; readonly reply: ReplyHeaders }

/**
 * Without the header `x-tracewright-session: cookie` the token is in bodies. With the header, pages of other origins are refused: they
 * cannot send it unless CORS allows it, and their Origin identifies them. `isSigningIn`: the request does not depend on anything that a
 * browser sends by itself, so clients without an Origin are allowed.
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
      write(tokens.refreshToken, tokens.refreshExpiresInS)
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

/** Whether it is the origin of the public URL, or has the host of the request. The scheme is ignored there, since a proxy may end TLS. */
function isOwnOrigin(origin: string, publicUrl: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
