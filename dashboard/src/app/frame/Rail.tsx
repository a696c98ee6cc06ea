import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Button, Link } from '../../ui/index.ts'
import { writePreference } from '../preferences.ts'
import { AccountMenu } from './AccountMenu.tsx'
import styles from './rail.module.css'
import { railItems } from './rail-items.ts'
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx'

const groups = [...Map.groupBy(railItems, ({ group }) => group)]

/** The navigation rail. Without a workspace it has no page to link to. */
export function Rail({ workspaceId, isNarrow }: { readonly workspaceId: string | null; readonly isNarrow: boolean }) {
  return (
    <div className={styles.rail} data-narrow={isNarrow}>
      <WorkspaceSwitcher workspaceId={workspaceId} isNarrow={isNarrow} />
      {workspaceId !== null && (
        <nav aria-label="Pages" className={styles.pages}>
          {groups.map(([group, items]) => (
            <ul key={group} className={styles.group}>
              {items.map(({ label, to, icon: Icon, key }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ workspace_id: workspaceId }}
                    search={{ agent_id: null }}
                    className={styles.item}
                    title={`${label} (g ${key})`}
                    isExact={to === '/w/$workspace_id'}
                  >
                    <Icon size={16} aria-hidden="true" />
                    <span className={isNarrow ? 'visually-hidden' : ''}>{label}</span>
                  </Link>
                </li>
              ))}
            </ul>
          ))}
        </nav>
      )}
      <div className={styles.foot}>
        <AccountMenu isNarrow={isNarrow} />
        <Button
          variant="quiet"
          className={styles.fold}
          aria-label={isNarrow ? 'Expand the navigation' : 'Collapse the navigation'}
          title={isNarrow ? 'Expand the navigation' : 'Collapse the navigation'}
          onClick={() => writePreference('rail', isNarrow ? null : 'narrow')}
        >
          {isNarrow ? <PanelLeftOpen size={16} aria-hidden="true" /> : <PanelLeftClose size={16} aria-hidden="true" />}
        </Button>
      </div>
    </div>
  )
}
