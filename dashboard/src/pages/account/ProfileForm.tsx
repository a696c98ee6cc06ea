// The form for name and time zone. The zone is stored in this browser, and in the account for browsers in which none was chosen.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type User } from '../../api/client.ts'
import { readText } from '../../app/form-text.ts'
import { meQuery } from '../../app/queries.ts'
import { chooseZone, useChosenZone } from '../../app/zone-choice.ts'
import { SavedForm } from '../../settings/SavedForm.tsx'
import styles from '../../settings/settings.module.css'
import { TextField } from '../../ui/index.ts'
import { ZoneSelect } from '../../window/ZoneSelect.tsx'

export function ProfileForm({ user }: { readonly user: User }) {
  const queries = useQueryClient()
  const chosen = useChosenZone()
  const [zone, setZone] = useState(chosen)
  const change = useMutation({
    mutationFn: (name: string) =>
      dataOf(api.PATCH('/v1/auth/me', { body: { name: name.trim() === '' ? null : name, time_zone: zone } })),
    onSuccess: (me) => {
      queries.setQueryData(meQuery.queryKey, me)
      chooseZone(zone)
    },
  })
  return (
    <div className={styles.form}>
      <SavedForm change={change} onSend={(form) => change.mutate(readText(form, 'name'))}>
        {(faultOf) => (
          <>
            <TextField
              label="E-mail"
              hint="The address of an account does not change."
              type="email"
              value={user.email}
              readOnly
            />
            <TextField
              label="Name"
              name="name"
              maxLength={100}
              autoComplete="name"
              defaultValue={user.name ?? ''}
              fault={faultOf('name')}
            />
            <ZoneSelect chosen={zone} onChange={setZone} />
          </>
        )}
      </SavedForm>
    </div>
  )
}
