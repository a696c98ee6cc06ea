// The moves that a decision may make now, as buttons on its page or as the menu of its card. If the role of the user does not permit them,
// they are unavailable and show the reason.
import { Ellipsis } from 'lucide-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
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

type Asked = { readonly decision: Decision; readonly to: State }

const Ask = createContext<(asked: Asked) => void>(() => undefined)

/**
 * Shows the dialogs of the moves inside of it. A card leaves its column when somebody else moves its rule. The dialog that is open for it
 * stays, with what was typed, and tells who was faster.
 */
export function MoveDialogs({ workspaceId, children }: { readonly workspaceId: string; readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <Ask value={setAsked}>
      {children}
      {asked !== null && <MoveDialog workspaceId={workspaceId} {...asked} onClose={() => setAsked(null)} />}
    </Ask>
  )
}

type Moving = {
  readonly moves: readonly State[]
  readonly missingRole: string | undefined
  readonly begin: (to: State) => void
}

function useMoving({ workspaceId, decision }: Props): Moving {
  const ask = useContext(Ask)
  return {
    moves: listMoves(decision.state),
    missingRole: useMissingRole(workspaceId, 'member'),
    begin: (to) => ask({ decision, to }),
  }
}

export function MoveButtons(props: Props) {
  const { moves, missingRole, begin } = useMoving(props)
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
    </>
  )
}

export function MoveMenu(props: Props) {
  const { moves, missingRole, begin } = useMoving(props)
  const { toolName } = readConfig(props.decision)
  const { state } = props.decision
  return (
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
  )
}
