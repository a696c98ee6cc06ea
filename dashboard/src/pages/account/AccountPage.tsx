// The account page of a user: profile, browser preferences, password, sessions, and deletion of the account.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { meQuery } from '../../app/queries.ts'
import { Page, Panel } from '../../ui/index.ts'
import { BrowserSection } from './BrowserSection.tsx'
import { DeleteSection } from './DeleteSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SessionsSection } from './SessionsSection.tsx'

type Me = { readonly user: Schemas['User']; readonly orgs: readonly Schemas['Org'][] }

export function AccountPage() {
  const me = useQuery(meQuery)
  return (
    <Page title="Account">
      <Panel<Me> title="Profile" query={me} height={260}>
        {({ user }) => <ProfileForm user={user} />}
      </Panel>
      <BrowserSection />
      <PasswordSection email={me.data?.user.email ?? ''} />
      <SessionsSection />
      <DeleteSection me={me.data ?? null} />
    </Page>
  )
}
