// The dialog that moves a decision to another state: it explains the move, asks for the reason, and reports an earlier conflicting move.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiFault } from '../api/fault.ts'
import { readText } from '../app/form-text.ts'
import { Button, CloseButton, DecisionState, Dialog, ErrorNote, Field, Time } from '../ui/index.ts'
import styles from './decisions.module.css'
import { findArrival } from './ending.ts'
import { describeLack, describeMove, isState, nameMove, needsForce, needsReason, type State } from './lifecycle.ts'
import { decisionQuery, decisionsKey, newestMovesQuery } from './queries.ts'
import { type Decision, readConfig, type Transition } from './score.ts'
import { useActorNames } from './use-names.ts'

const maxReason = 500
const conflict = 409

type Props = {
  readonly workspaceId: string
  readonly decision: Decision
  readonly to: State
  readonly onClose: () => void
}

type Asked = { readonly reason: string; readonly isForced: boolean }
type Faster = { readonly decision: Decision; readonly move: Transition | null }

export function MoveDialog({ workspaceId, decision: given, to, onClose }: Props) {
  // The decision as it was when the dialog was opened. The person decides about this state, so data that loads later does not replace it.
  const [decision] = useState(given)
  const [faster, setFaster] = useState<Faster | null>(null)
  const queries = useQueryClient()
  const renew = async (): Promise<void> => await queries.invalidateQueries({ queryKey: decisionsKey(workspaceId) })
  /** Returns the move that another actor made meanwhile. Null: the state is unchanged, so the conflict has another reason. */
  const findFaster = async (): Promise<Faster | null> => {
    const now = await queries.fetchQuery({ ...decisionQuery(workspaceId, decision.id), staleTime: 0 })
    if (now.state === decision.state) return null
    const trail = await queries.fetchQuery({ ...newestMovesQuery(workspaceId, decision.id), staleTime: 0 })
    return { decision: now, move: findArrival(trail, now.state) }
  }
  const move = useMutation({
    mutationFn: async ({ reason, isForced }: Asked) =>
      await dataOf(
        api.POST('/v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions', {
          params: { path: { workspace_id: workspaceId, decision_id: decision.id } },
          body: {
            to,
            reason: reason === '' ? null : reason,
            ...(isForced ? { force: true } : {}),
            ...(isState(decision.state) ? { expected_state: decision.state } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      await renew()
      onClose()
    },
    onError: async (error) => {
      if (!(error instanceof ApiFault) || error.status !== conflict) return
      setFaster(await findFaster())
      await renew()
    },
  })
  const title = `${nameMove(decision.state, to)}: ${readConfig(decision).toolName}`
  return (
    <Dialog title={title} isOpen isBusy={move.isPending && faster === null} onClose={onClose}>
      {faster === null ? (
        <MoveForm decision={decision} to={to} error={move.error} isSending={move.isPending} onSend={move.mutate} />
      ) : (
        <>
          <SomebodyFaster workspaceId={workspaceId} faster={faster} />
          <CloseButton>Close</CloseButton>
        </>
      )}
    </Dialog>
  )
}

function SomebodyFaster({ workspaceId, faster }: { readonly workspaceId: string; readonly faster: Faster }) {
  const nameActor = useActorNames(workspaceId)
  const { decision, move } = faster
  return (
    <div role="alert" className={styles.faster}>
      <p>
        Nothing was changed: <strong>{move === null ? 'somebody' : nameActor(move)}</strong> was faster, and the rule is{' '}
        <DecisionState state={decision.state} /> now
        {move !== null && (
          <>
            {' '}
            (<Time time={move.at} isRelative />)
          </>
        )}
        .
      </p>
      {move?.reason != null && <p>Their reason: {move.reason}</p>}
      <p>The page now shows the current state of the rule. Check it before you decide again.</p>
    </div>
  )
}

type FormProps = {
  readonly decision: Decision
  readonly to: State
  readonly error: unknown
  readonly isSending: boolean
  readonly onSend: (asked: Asked) => void
}

function MoveForm({ decision, to, error, isSending, onSend }: FormProps) {
  const forceId = useId()
  const [isTicked, setTicked] = useState(false)
  const [lacking, setLacking] = useState<string | null>(null)
  const isForced = needsForce(decision, to)
  const isReasonNeeded = needsReason(decision.state, to)
  const label = nameMove(decision.state, to)
  const send = (form: FormData): void => {
    const reason = readText(form, 'reason').trim()
    const fault = isReasonNeeded && reason === '' ? 'Say why: it stays in the audit trail' : null
    setLacking(fault)
    if (fault === null) onSend({ reason, isForced: isForced && isTicked })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) send(new FormData(event.currentTarget))
      }}
    >
      <p>{describeMove(decision, to)}</p>
      {isForced && <Unproven id={forceId} decision={decision} isTicked={isTicked} onTick={setTicked} />}
      <Field
        label={isReasonNeeded ? 'Reason' : 'Reason (optional)'}
        hint="All members of the workspace can read it in the audit trail of the rule."
        fault={lacking}
      >
        {(ids) => (
          <textarea
            {...ids}
            className={styles.reason}
            name="reason"
            rows={3}
            maxLength={maxReason}
            aria-required={isReasonNeeded}
            autoFocus
          />
        )}
      </Field>
      {error !== null && <ErrorNote error={error} />}
      <div className={styles.answers}>
        <Button
          type="submit"
          variant={to === 'disabled' ? 'danger' : 'primary'}
          unavailable={
            isSending
              ? 'Sending…'
              : isForced && !isTicked
                ? 'Select the checkbox above: the rule is not proven'
                : undefined
          }
        >
          {isSending ? 'Sending…' : label}
        </Button>
        <CloseButton>Cancel</CloseButton>
      </div>
    </form>
  )
}

type UnprovenProps = {
  readonly id: string
  readonly decision: Decision
  readonly isTicked: boolean
  readonly onTick: (isTicked: boolean) => void
}

/** The override for a person who knows the tool better than its traces show. The rule then acts as an ordinary cache, plus the watch. */
function Unproven({ id, decision, isTicked, onTick }: UnprovenProps) {
  return (
    <div className={styles.unproven}>
      <p>
        {describeLack(decision)}
        {decision.type === 'reuse_identity' &&
          ' If you activate it now, it serves an input after two equal results, and the service stops it when results turn out to be wrong.'}
      </p>
      <label htmlFor={id} className={styles.tick}>
        <input id={id} type="checkbox" checked={isTicked} onChange={({ target }) => onTick(target.checked)} />
        <span>
          {decision.type === 'suppress_dead'
            ? 'I know that no model needs the result of this tool, although that is not proven, and want the rule active.'
            : 'I know that results of this tool hold for that long, although that is not proven, and want the rule active.'}
        </span>
      </label>
    </div>
  )
}
