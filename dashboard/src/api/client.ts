// The API client: typed calls, the access token in the header, and failures thrown as ApiFault.
import createClient from 'openapi-fetch'
import { writeBody } from './body.ts'
import { alone, openTabs } from './browser-tabs.ts'
import { isTimeout, makeEndedFault, makeUnknownFault, makeUnreadableFault, readFault } from './fault.ts'
import type { components, paths } from './schema.ts'
import { type Access, makeSession } from './session.ts'
import { transfer } from './transfer.ts'

export type Schemas = components['schemas']
export type User = Schemas['User']
export type Org = Schemas['Org']
export type Workspace = Schemas['Workspace']

/** The header that requests the refresh token as a cookie that no script can read. */
const cookieSession = { 'x-tracewright-session': 'cookie' }
const listeners = new Set<() => void>()

const session = makeSession({
  renew,
  alone,
  tabs: openTabs(),
  nowMs: () => Date.now(),
  onChange: () => {
    for (const listener of listeners) listener()
  },
})

export const readToken = session.token
export const isSignedOut = session.isSignedOut
// Whether this browser had a session since the page was loaded: without one, nothing has ended.
let hadSession = false
export const hasSessionEnded = (): boolean => hadSession && session.hasEnded()

/** Calls the listener after a sign-in or sign-out, here or in another tab. Returns the function that removes the listener. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function sendWithSession(request: Request): Promise<Response> {
  const token = await session.token()
  const response = await send(authorize(request.clone(), token))
  if (response.status !== 401 || token === null) return response
  const next = await session.replace(token)
  return next === null ? response : await send(authorize(request, next))
}

async function send(request: Request): Promise<Response> {
  try {
    return await transfer(request)
  } catch (error) {
    throw isTimeout(error) && request.method !== 'GET' ? makeUnknownFault(error) : error
  }
}

function authorize(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** Typed calls; `await dataOf(api.GET(…))` returns the body or throws an ApiFault. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: sendWithSession,
  bodySerializer: writeBody,
})

api.use({
  onResponse: async ({ response }) => {
    if (response.ok) return
    const fault = await readFault(response)
    throw fault.status === 401 ? makeEndedFault(fault) : fault
  },
})

/** Returns the body of a call. Throws an ApiFault if the call failed. */
export const dataOf = async <T>(call: Promise<{ readonly data?: T }>): Promise<T> =>
  await answerOf(call, ({ data }) => data as T)

/** Returns what `read` takes from the result of a call. Throws an ApiFault if the call failed or its body is not JSON. */
export async function answerOf<A, T>(call: Promise<A>, read: (answer: A) => T): Promise<T> {
  try {
    return read(await call)
  } catch (error) {
    throw error instanceof SyntaxError ? makeUnreadableFault(error) : error
  }
}

type TokenAnswer = { readonly access_token: string; readonly expires_in: number }

const readAccess = (answer: TokenAnswer): Access => ({
  token: answer.access_token,
  expiresAtMs: Date.now() + answer.expires_in * 1_000,
})

async function postSession(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...cookieSession }
  return await transfer(new Request(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

// Set while there may be a refresh cookie, so that a first visit sends no request that can only be refused.
const markKey = 'tracewright.signed-in'

async function renew(): Promise<Access | null> {
  if (localStorage.getItem(markKey) === null) return null
  hadSession = true
  const response = await postSession('/v1/auth/refresh', {})
  if (response.ok) return await answerOf(response.json() as Promise<TokenAnswer>, readAccess)
  const fault = await readFault(response)
  // The service answers 422 to a request without the cookie: there is no session.
  if (fault.status !== 401 && fault.status !== 422) throw fault
  localStorage.removeItem(markKey)
  return null
}

// Kept between sign-ins, so that password guesses of strangers cannot lock this browser out. It is not a credential.
const deviceKey = 'tracewright.device'

async function begin<T extends TokenAnswer & { readonly device_token: string }>(response: Response): Promise<T> {
  if (!response.ok) throw await readFault(response)
  const answer = await answerOf(response.json() as Promise<T>, (read) => read)
  localStorage.setItem(deviceKey, answer.device_token)
  localStorage.setItem(markKey, 'yes')
  hadSession = true
  session.start(readAccess(answer))
  return answer
}

type SignedIn = TokenAnswer & { readonly device_token: string; readonly user: User }
type SignedUp = SignedIn & { readonly org: Org }

export async function signIn(body: { readonly email: string; readonly password: string }): Promise<SignedIn> {
  const deviceToken = localStorage.getItem(deviceKey)
  return await begin(await postSession('/v1/auth/login', { ...body, device_token: deviceToken }))
}

export type SignUpBody = {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly org_name?: string
  readonly invite_token?: string
}

export const signUp = async (body: SignUpBody): Promise<SignedUp> =>
  await begin(await postSession('/v1/auth/signup', body))

/** Ends the session in the browser even if the request fails, and then throws an ApiFault. */
export async function signOut(): Promise<void> {
  try {
    const response = await postSession('/v1/auth/logout', {})
    if (!response.ok && response.status !== 422) throw await readFault(response)
  } finally {
    localStorage.removeItem(markKey)
    session.end()
  }
}
