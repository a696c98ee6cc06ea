// Creates a user with a workspace and a key through the API of a service.
import { randomBytes } from 'node:crypto'

export type Tenant = {
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly orgId: string
  readonly workspaceId: string
  /** API key of the workspace. */
  readonly key: string
}

/** Returns the parsed body of the answer; a call with a body is a POST. Throws if the service does not accept the call. */
export async function callAccepted<T>(baseUrl: string, path: string, token: string | null, body?: object): Promise<T> {
  const response = await fetch(baseUrl + path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Signs up a user. Throws where the service gives an unexpected answer. */
export async function signUp(baseUrl: string): Promise<Tenant> {
  const person = {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
  }
  type Session = { access_token: string; refresh_token: string; org: { id: string } }
  const session = await callAccepted<Session>(baseUrl, '/v1/auth/signup', null, person)
  const token = session.access_token
  const [workspace] = await callAccepted<{ id: string }[]>(baseUrl, '/v1/workspaces', token)
  if (workspace === undefined) throw new Error('the new user has no workspace')
  return {
    ...person,
    accessToken: token,
    refreshToken: session.refresh_token,
    orgId: session.org.id,
    workspaceId: workspace.id,
    key: await mintKey(baseUrl, workspace.id, token),
  }
}

export async function mintKey(baseUrl: string, workspaceId: string, token: string): Promise<string> {
  const asked = { workspace_id: workspaceId, name: 'test' }
  return (await callAccepted<{ api_key: string }>(baseUrl, '/v1/keys', token, asked)).api_key
}
