import { Check, Columns3 } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import styles from '../app/frame/menu.module.css'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { type ColumnKey, columnKeys, turnColumns, usualColumnsOf } from './choose-columns.ts'
import { columns } from './columns.tsx'
import { MenuButton } from './MenuButton.tsx'

export function ColumnChooser({ shown }: { readonly shown: readonly ColumnKey[] }) {
  const change = useChangeSearch({ isStep: false })
  return (
    <MenuTrigger>
      <MenuButton icon={Columns3}>Columns</MenuButton>
      <Popover className={styles.popover ?? ''} placement="bottom end">
        <Menu
          aria-label="Columns"
          className={styles.menu ?? ''}
          disabledKeys={['name']}
          onSelectionChange={(chosen) => {
            // Only the difference from the shown columns is applied: a second choice may be made before the first one is rendered.
            const turned = columnKeys.filter((key) => shown.includes(key) !== (chosen === 'all' || chosen.has(key)))
            change(({ cols, status }) => ({ cols: turnColumns(cols, turned, usualColumnsOf(status)) }))
          }}
          selectedKeys={shown}
          selectionMode="multiple"
          shouldCloseOnSelect={false}
        >
          {columnKeys.map((key) => (
            <MenuItem className={styles.item ?? ''} id={key} key={key} textValue={columns[key].header}>
              <span className={styles.check}>{shown.includes(key) && <Check size={14} aria-hidden="true" />}</span>
              {columns[key].header}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
