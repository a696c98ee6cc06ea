// The account that the fleet belongs to: created if it does not exist, reused if it does.
import { callRoute } from './interface.ts'
import { DemoFault, type Options } from './options.ts'

/** Valid for ten minutes. */
export type Session = { readonly accessToken: string; readonly isNew: boolean }

export type Workspace = {
  readonly accessToken: string
  readonly workspaceId: string
  readonly workspaceName: string
  readonly key: string
}

/** Signs up, or logs in if the account exists. Throws a DemoFault with the reason of a refusal. */
export async function openSession({ url, email, password }: Options): Promise<Session> {
  const signup = await callRoute(`${url}/v1/auth/signup`, 'POST', null, { email, password, org_name: 'Demo' })
  const isNew = signup.status === 201
  const session = isNew ? signup : await callRoute(`${url}/v1/auth/login`, 'POST', null, { email, password })
  if (session.status !== 200 && session.status !== 201) {
    throw new DemoFault(
      session.status === 401
        ? `The account ${email} has another password; pass it with --password, or use another --email.`
        : `${email} could neither sign up (status ${signup.status}) nor sign in (status ${session.status}): ${JSON.stringify(signup.json)}`,
    )
  }
  return { accessToken: (session.json as { access_token: string }).access_token, isNew }
}

/** Finds or creates the workspace of that name, and mints a key. Throws a DemoFault with the reason of a refusal. */
export async function openWorkspace(url: string, { accessToken }: Session, name: string): Promise<Workspace> {
  const workspaceId = await findWorkspace(url, accessToken, name)
  const minted = await callRoute(`${url}/v1/keys`, 'POST', accessToken, { workspace_id: workspaceId, name: 'demo' })
  if (minted.status !== 201) throw new DemoFault(`Creating an API key failed with status ${minted.status}.`)
  return { accessToken, workspaceId, workspaceName: name, key: (minted.json as { api_key: string }).api_key }
}

async function findWorkspace(url: string, token: string, name: string): Promise<string> {
  const listed = await callRoute(`${url}/v1/workspaces`, 'GET', token)
  const known = (listed.json as { id: string; name: string }[]).find((workspace) => workspace.name === name)
  if (known !== undefined) return known.id
  const made = await callRoute(`${url}/v1/workspaces`, 'POST', token, { name })
  if (made.status !== 201) throw new DemoFault(`Creating a workspace failed with status ${made.status}.`)
  return (made.json as { id: string }).id
}
