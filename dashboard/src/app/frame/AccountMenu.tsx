import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleUser } from 'lucide-react'
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { signOut } from '../../api/client.ts'
import { usePreference, writePreference } from '../preferences.ts'
import { meQuery } from '../queries.ts'
import styles from './menu.module.css'

const themes = [
  { id: 'system', label: 'System theme' },
  { id: 'light', label: 'Light theme' },
  { id: 'dark', label: 'Dark theme' },
] as const

export function AccountMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const { data: me } = useQuery(meQuery)
  const theme = usePreference('theme') ?? 'system'
  const hasShortcuts = usePreference('shortcuts') !== 'off'
  const leave = useMutation({ mutationFn: signOut })
  const name = me?.user.name ?? me?.user.email ?? 'Account'
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Account: ${name}`}>
        <CircleUser size={16} aria-hidden="true" />
        {!isNarrow && <span className={styles.label}>{name}</span>}
      </Button>
      <Popover className={styles.popover ?? ''} placement="top start">
        <Menu className={styles.menu ?? ''} aria-label="Account">
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const [chosen] = keys === 'all' ? [] : keys
              writePreference('theme', chosen === 'system' ? null : String(chosen))
            }}
          >
            <Header className={styles.heading ?? ''}>{me?.user.email ?? 'Account'}</Header>
            {themes.map(({ id, label }) => (
              <MenuItem key={id} id={id} textValue={label} className={styles.item ?? ''}>
                <span className={styles.check}>{theme === id && <Check size={14} aria-hidden="true" />}</span>
                {label}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator />
          <MenuItem
            className={styles.item ?? ''}
            onAction={() => writePreference('shortcuts', hasShortcuts ? 'off' : null)}
          >
            <span className={styles.check} />
            {hasShortcuts ? 'Turn keyboard shortcuts off' : 'Turn keyboard shortcuts on'}
          </MenuItem>
          <MenuItem className={styles.item ?? ''} href="/account">
            <span className={styles.check} />
            Account settings
          </MenuItem>
          <MenuItem className={styles.item ?? ''} onAction={() => leave.mutate()}>
            <span className={styles.check} />
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
