// Creates a user with a workspace and a key through the API of a service in another process.
import { randomBytes } from 'node:crypto'

export type SignedUp = {
  readonly key: string
  readonly workspaceId: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly email: string
  readonly password: string
}

/** Signs up a user. Throws where the service gives an unexpected answer. */
export async function signUp(baseUrl: string): Promise<SignedUp> {
  const call = async <T>(path: string, token: string | null, body?: object): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as T
  }
  const person = {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
  }
  const tokens = await call<{ access_token: string; refresh_token: string }>('/v1/auth/signup', null, person)
  const token = tokens.access_token
  const [workspace] = await call<{ id: string }[]>('/v1/workspaces', token)
  if (workspace === undefined) throw new Error('the new user has no workspace')
  const asked = { workspace_id: workspace.id, name: 'test' }
  const { api_key: key } = await call<{ api_key: string }>('/v1/keys', token, asked)
  return {
    key,
    workspaceId: workspace.id,
    accessToken: token,
    refreshToken: tokens.refresh_token,
    ...person,
  }
}
