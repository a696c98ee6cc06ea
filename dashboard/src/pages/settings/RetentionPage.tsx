// The page with the content mode and the retention of a workspace: which content is stored, and for how long.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingRole } from '../../app/use-role.ts'
import { Choice, Choices } from '../../settings/Choices.tsx'
import { ConfirmDialog } from '../../settings/ConfirmDialog.tsx'
import { SavedForm } from '../../settings/SavedForm.tsx'
import styles from '../../settings/settings.module.css'
import { Page, Panel, TextField } from '../../ui/index.ts'
import { type Settings, settingsQuery, useChangeSettings } from './queries.ts'
import { countDays, isSooner, readDays } from './retention.ts'

const route = getRouteApi('/w/$workspace_id/settings/retention')

export function RetentionPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const settings = useQuery(settingsQuery(workspaceId))
  return (
    <Page title="Content and retention" tabTitle="Content and retention · Settings">
      <Panel title="Content and retention" isTitled={false} query={settings} height={560}>
        {(data) => (
          <div className={styles.stack}>
            <ContentForm workspaceId={workspaceId} settings={data} />
            <RetentionForm workspaceId={workspaceId} settings={data} />
          </div>
        )}
      </Panel>
    </Page>
  )
}

type Props = { readonly workspaceId: string; readonly settings: Settings }

const modes: readonly { readonly mode: Settings['content_mode']; readonly label: string; readonly about: string }[] = [
  {
    mode: 'none',
    label: 'None',
    about: 'Only names, times, counts and costs. Traces show no messages, and tool calls no arguments.',
  },
  {
    mode: 'redacted',
    label: 'Redacted',
    about:
      'Messages and tool calls are kept; keys, e-mail addresses, card numbers and the like are replaced by marks before they are stored. Names of people stay.',
  },
  { mode: 'full', label: 'Full', about: 'Messages and tool calls are kept as they were sent.' },
]

function ContentForm({ workspaceId, settings }: Props) {
  const missingRole = useMissingRole(workspaceId, 'admin')
  const change = useChangeSettings(workspaceId)
  const [chosen, setChosen] = useState(settings.content_mode)
  return (
    <section className={styles.form} aria-labelledby="kept-content">
      <h2 id="kept-content">Content</h2>
      <SavedForm
        change={change}
        saved="Saved. The setting applies to data that arrives from now on; stored data does not change."
        unavailable={missingRole}
        onSend={() => change.mutate({ content_mode: chosen })}
      >
        {() => (
          <Choices legend="Content of messages and tool calls that is stored">
            {modes.map(({ mode, label, about }) => (
              <Choice
                key={mode}
                name="content_mode"
                label={label}
                isChosen={mode === chosen}
                isReadOnly={missingRole !== undefined}
                onChoose={() => setChosen(mode)}
              >
                {about}
              </Choice>
            ))}
          </Choices>
        )}
      </SavedForm>
    </section>
  )
}

function RetentionForm({ workspaceId, settings }: Props) {
  const missingRole = useMissingRole(workspaceId, 'admin')
  const change = useChangeSettings(workspaceId)
  const { plan_retention_days: planDays } = settings
  const [isOwn, setOwn] = useState(settings.retention_days !== null)
  const [typed, setTyped] = useState(String(settings.retention_days ?? ''))
  const [isAsking, setAsking] = useState(false)
  const days = isOwn ? readDays(typed) : null
  const save = (): void => {
    setAsking(false)
    change.mutate({ retention_days: days })
  }
  return (
    <section className={styles.form} aria-labelledby="kept-days">
      <h2 id="kept-days">Retention</h2>
      <SavedForm
        change={change}
        unavailable={missingRole}
        onSend={() => (isSooner(days, settings) ? setAsking(true) : save())}
      >
        {(faultOf) => (
          <Choices legend="For how long events, traces, results and findings are kept">
            <Choice
              name="retention"
              label={planDays === null ? 'For ever' : `For ${countDays(planDays)}, as the plan says`}
              isChosen={!isOwn}
              isReadOnly={missingRole !== undefined}
              onChoose={() => setOwn(false)}
            />
            <Choice
              name="retention"
              label="For a number of days"
              isChosen={isOwn}
              isReadOnly={missingRole !== undefined}
              onChoose={() => setOwn(true)}
            >
              Older data is removed every hour. The minimum is one day more than the greatest age at which the service
              accepts a span, which is 7 days unless its operator set another.
            </Choice>
            {isOwn && (
              <TextField
                label="Days"
                name="retention_days"
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                readOnly={missingRole !== undefined}
                onChange={({ target }) => setTyped(target.value)}
                fault={faultOf('retention_days')}
              />
            )}
          </Choices>
        )}
      </SavedForm>
      {isAsking && days !== null && (
        <ConfirmDialog
          title={`Keep data for ${countDays(days)}?`}
          action="Remove older data"
          refusal="Keep it"
          onConfirm={save}
          onClose={() => setAsking(false)}
        >
          Events, traces, stored results and findings older than {countDays(days)} are removed within hours. They cannot
          be brought back.
        </ConfirmDialog>
      )}
    </section>
  )
}
