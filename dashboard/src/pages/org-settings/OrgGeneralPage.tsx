// The page with the name of an organization, and the id by which programs address it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Org } from '../../api/client.ts'
import { explainMissing } from '../../app/roles.ts'
import { NameForm } from '../../settings/NameForm.tsx'
import styles from '../../settings/settings.module.css'
import { CopyButton } from '../../ui/index.ts'
import { OrgPage } from './OrgPage.tsx'

export const OrgGeneralPage = () => <OrgPage title="General">{(org) => <OrgFacts org={org} />}</OrgPage>

function OrgFacts({ org }: { readonly org: Org }) {
  const queries = useQueryClient()
  const missingRole = explainMissing(org.role, 'admin')
  const rename = useMutation({
    mutationFn: (name: string) =>
      dataOf(api.PATCH('/v1/orgs/{org_id}', { params: { path: { org_id: org.id } }, body: { name } })),
    onSuccess: async () => {
      await Promise.all(['me', 'workspaces'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
  return (
    <section className={styles.form} aria-labelledby="org-name">
      <h2 id="org-name">Organization</h2>
      <NameForm change={rename} name={org.name} missingRole={missingRole} onRename={(name) => rename.mutate(name)} />
      <dl className={styles.facts}>
        <dt>Id</dt>
        <dd className={styles.id}>
          <code>{org.id}</code> <CopyButton text={org.id} label="Copy the id of the organization" />
        </dd>
      </dl>
    </section>
  )
}
