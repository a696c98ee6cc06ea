// All settings pages, grouped into workspace, organization and account.
import type { Org, Workspace } from '../api/client.ts'
import type { LinkProps } from '../ui/index.ts'

export type SettingsGroup = {
  readonly title: string
  /** The name of the workspace or organization; empty for the account. */
  readonly name: string
  readonly pages: readonly {
    readonly label: string
    readonly to: LinkProps['to']
    readonly params: Readonly<Record<string, string>>
  }[]
}

const ofWorkspace = [
  ['General', '/w/$workspace_id/settings/general'],
  ['Rules', '/w/$workspace_id/settings/rules'],
  ['Prices', '/w/$workspace_id/settings/prices'],
  ['Content and retention', '/w/$workspace_id/settings/retention'],
  ['Audit log', '/w/$workspace_id/settings/audit'],
  ['Export', '/w/$workspace_id/settings/export'],
  ['Delete', '/w/$workspace_id/settings/danger'],
] as const

const ofOrg = [
  ['General', '/o/$org_id/settings/general'],
  ['Members', '/o/$org_id/settings/members'],
  ['Invites', '/o/$org_id/settings/invites'],
  ['Workspaces', '/o/$org_id/settings/workspaces'],
  ['Audit log', '/o/$org_id/settings/audit'],
] as const

/** Returns the groups of settings pages. The account is always included; a user may have no workspace and no organization. */
export function groupsOf(workspace: Workspace | null, org: Org | undefined): readonly SettingsGroup[] {
  const groups: SettingsGroup[] = []
  if (workspace !== null) {
    const params = { workspace_id: workspace.id }
    groups.push({ title: 'Workspace', name: workspace.name, pages: ofWorkspace.map(toPage(params)) })
  }
  if (org !== undefined) {
    groups.push({ title: 'Organization', name: org.name, pages: ofOrg.map(toPage({ org_id: org.id })) })
  }
  return [...groups, { title: 'You', name: '', pages: [{ label: 'Account', to: '/account', params: {} }] }]
}

const toPage =
  (params: Readonly<Record<string, string>>) =>
  ([label, to]: readonly [string, LinkProps['to']]) => ({ label, to, params })
