// The moves that a decision may make now, as buttons on its page or as the menu of its card. If the role of the user does not permit them,
// they are unavailable and show the reason.
import { Ellipsis } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Button as TriggerButton,
} from 'react-aria-components'
import menu from '../app/frame/menu.module.css'
import { useMissingRole } from '../app/use-role.ts'
import { Button } from '../ui/index.ts'
import styles from './decisions.module.css'
import { listMoves, nameMove, type State } from './lifecycle.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { type Decision, readConfig } from './score.ts'

type Props = { readonly workspaceId: string; readonly decision: Decision }

type Moving = {
  readonly moves: readonly State[]
  readonly missingRole: string | undefined
  readonly begin: (to: State) => void
  readonly dialog: ReactNode
}

function useMoving({ workspaceId, decision }: Props): Moving {
  const [to, setTo] = useState<State | null>(null)
  return {
    moves: listMoves(decision.state),
    missingRole: useMissingRole(workspaceId, 'member'),
    begin: setTo,
    dialog: to !== null && (
      <MoveDialog workspaceId={workspaceId} decision={decision} to={to} onClose={() => setTo(null)} />
    ),
  }
}

export function MoveButtons(props: Props) {
  const { moves, missingRole, begin, dialog } = useMoving(props)
  const { state } = props.decision
  return (
    <>
      {moves.map((to) => (
        <Button
          key={to}
          data-move={to}
          variant={to === 'disabled' ? 'danger' : to === 'active' ? 'primary' : 'default'}
          unavailable={missingRole}
          onClick={() => begin(to)}
        >
          {nameMove(state, to)}
        </Button>
      ))}
      {dialog}
    </>
  )
}

export function MoveMenu(props: Props) {
  const { moves, missingRole, begin, dialog } = useMoving(props)
  const { toolName } = readConfig(props.decision)
  const { state } = props.decision
  return (
    <>
      <MenuTrigger>
        <TriggerButton className={styles.opener ?? ''} aria-label={`Moves of ${toolName}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </TriggerButton>
        <Popover className={menu.popover ?? ''} placement="bottom end">
          <Menu
            className={menu.menu ?? ''}
            aria-label={`Moves of ${toolName}`}
            disabledKeys={missingRole === undefined ? [] : moves}
            onAction={(key) => {
              const to = moves.find((move) => move === key)
              if (to !== undefined) begin(to)
            }}
          >
            <MenuSection>
              <Header className={menu.heading ?? ''}>{missingRole ?? `Now ${state}`}</Header>
              {moves.map((to) => (
                <MenuItem key={to} id={to} className={`${menu.item} ${styles.item}`} textValue={nameMove(state, to)}>
                  {nameMove(state, to)}
                </MenuItem>
              ))}
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
      {dialog}
    </>
  )
}
