// The account that the fleet belongs to: created if it does not exist, reused if it does.

import { CommandFault } from '../_kit/command.ts'
import { type Answer, callRoute, describeRefusal } from './interface.ts'
import type { Options } from './options.ts'

/** Valid for ten minutes. */
export type Session = { readonly accessToken: string; readonly isNew: boolean }

export type Workspace = {
  readonly accessToken: string
  readonly workspaceId: string
  readonly workspaceName: string
  readonly key: string
}

/** Signs up, or logs in if the account exists. Throws a CommandFault with the reason of a refusal. */
export async function openSession({ url, email, password }: Options): Promise<Session> {
  const signup = await callRoute(`${url}/v1/auth/signup`, 'POST', null, { email, password, org_name: 'Demo' })
  const isNew = signup.status === 201
  const session = isNew ? signup : await callRoute(`${url}/v1/auth/login`, 'POST', null, { email, password })
  if (session.status !== 200 && session.status !== 201) throw new CommandFault(describeFailure(email, signup, session))
  return { accessToken: (session.json as { access_token: string }).access_token, isNew }
}

function describeFailure(email: string, signup: Answer, login: Answer): string {
  if (signup.status === 409 && login.status === 401)
    return `The account ${email} has another password; pass it with --password, or use another --email.`
  const both = `${email} could neither sign up (${describeRefusal(signup)}) nor sign in (${describeRefusal(login)}).`
  return login.status === 401 ? `${both} Pass an existing account with --email and --password.` : both
}

/** Finds or creates the workspace of that name, and mints a key. Throws a CommandFault with the reason of a refusal. */
export async function openWorkspace(url: string, { accessToken }: Session, name: string): Promise<Workspace> {
  const workspaceId = await findWorkspace(url, accessToken, name)
  const minted = await callRoute(`${url}/v1/keys`, 'POST', accessToken, { workspace_id: workspaceId, name: 'demo' })
  if (minted.status !== 201) throw new CommandFault(`Creating an API key failed with ${describeRefusal(minted)}`)
  return { accessToken, workspaceId, workspaceName: name, key: (minted.json as { api_key: string }).api_key }
}

async function findWorkspace(url: string, token: string, name: string): Promise<string> {
  const listed = await callRoute(`${url}/v1/workspaces`, 'GET', token)
  if (listed.status !== 200) throw new CommandFault(`Listing the workspaces failed with ${describeRefusal(listed)}`)
  const known = (listed.json as { id: string; name: string }[]).find((workspace) => workspace.name === name)
  if (known !== undefined) return known.id
  const made = await callRoute(`${url}/v1/workspaces`, 'POST', token, { name })
  if (made.status !== 201) throw new CommandFault(`Creating a workspace failed with ${describeRefusal(made)}`)
  return (made.json as { id: string }).id
}
