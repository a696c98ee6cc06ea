// The page with the settings of new rules: how they are proposed, and how certain the service must be of them.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMissingRole } from '../../app/use-role.ts'
import { Choice, Choices } from '../../settings/Choices.tsx'
import { SavedForm } from '../../settings/SavedForm.tsx'
import styles from '../../settings/settings.module.css'
import { Field, Page, Panel } from '../../ui/index.ts'
import { type Settings, settingsQuery, useChangeSettings } from './queries.ts'
import { listChanges, toDraft, toSettings } from './rule-form.ts'
import {
  explainAlpha,
  explainFloor,
  explainFreshness,
  explainHoldout,
  joinSeconds,
  readPercent,
  sayInPercent,
  sayInUnit,
  units,
} from './rule-words.ts'

const route = getRouteApi('/w/$workspace_id/settings/rules')

export function RulesPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const settings = useQuery(settingsQuery(workspaceId))
  return (
    <Page title="Rules" tabTitle="Rules · Settings">
      <p className={styles.lead}>
        These settings apply to rules that are proposed from now on. Existing rules keep their settings.
      </p>
      <Panel title="New rules" query={settings} height={640}>
        {(data) => <RulesForm workspaceId={workspaceId} settings={data} />}
      </Panel>
    </Page>
  )
}

function RulesForm({ workspaceId, settings }: { readonly workspaceId: string; readonly settings: Settings }) {
  const missingRole = useMissingRole(workspaceId, 'admin')
  const change = useChangeSettings(workspaceId)
  const isReadOnly = missingRole !== undefined
  const [draft, setDraft] = useState(() => toDraft(settings))
  // The form before the edits of the user. Only edited fields are sent, so that a field that somebody else changes
  // meanwhile keeps its new value.
  const [before, setBefore] = useState(draft)
  const { age, holdout, floor, alpha } = draft
  const freshnessS = joinSeconds(age.amount, age.unit)
  const save = (): void =>
    change.mutate(listChanges(toSettings(before), toSettings(draft)), {
      onSuccess: (stored) => {
        const after = toDraft(stored)
        setBefore(after)
        setDraft((now) => ({ ...after, ...listChanges(draft, now) }))
      },
    })
  return (
    <div className={styles.form}>
      <SavedForm change={change} unavailable={missingRole} onSend={save}>
        {(faultOf) => (
          <>
            <Choices legend="When a rule is proposed">
              <Choice
                name="auto_shadow"
                label="Measure it at once"
                isChosen={draft.isAuto}
                isReadOnly={isReadOnly}
                onChoose={() => setDraft({ ...draft, isAuto: true })}
              >
                It goes to shadow by itself: its results are compared with those of real calls, and nothing is served.
              </Choice>
              <Choice
                name="auto_shadow"
                label="Wait for a person"
                isChosen={!draft.isAuto}
                isReadOnly={isReadOnly}
                onChoose={() => setDraft({ ...draft, isAuto: false })}
              >
                It stays proposed until a member moves it to shadow.
              </Choice>
            </Choices>
            <Field
              label="Age limit of served results"
              hint={explainFreshness(freshnessS) ?? undefined}
              fault={sayInUnit(faultOf('default_freshness_s'), age.unit)}
            >
              {(ids) => (
                <div className={styles.amount}>
                  <input
                    {...ids}
                    className={styles.select}
                    inputMode="decimal"
                    autoComplete="off"
                    value={age.amount}
                    readOnly={isReadOnly}
                    onChange={({ target }) => setDraft({ ...draft, age: { ...age, amount: target.value } })}
                  />
                  <select
                    aria-label="Unit of the age"
                    className={styles.select}
                    value={age.unit}
                    onChange={({ target }) =>
                      setDraft({
                        ...draft,
                        age: { ...age, unit: units.find((one) => one === target.value) ?? age.unit },
                      })
                    }
                  >
                    {units.map((unit) => (
                      <option key={unit} value={unit} disabled={isReadOnly && unit !== age.unit}>
                        {Number(age.amount) === 1 ? unit.slice(0, -1) : unit}
                      </option>
                    ))}
                  </select>
                </div>
              )}
            </Field>
            <Percent
              label="Holdout"
              value={holdout}
              hint={explainHoldout(readPercent(holdout))}
              fault={sayInPercent(faultOf('holdout_rate'))}
              isReadOnly={isReadOnly}
              onChange={(holdout) => setDraft({ ...draft, holdout })}
            />
            <Percent
              label="Floor: share of right results"
              value={floor}
              hint={explainFloor(readPercent(floor))}
              fault={sayInPercent(faultOf('floor'))}
              isReadOnly={isReadOnly}
              onChange={(floor) => setDraft({ ...draft, floor })}
            />
            <Percent
              label="Alpha: risk of a wrong proof"
              value={alpha}
              hint={explainAlpha(readPercent(alpha))}
              fault={sayInPercent(faultOf('alpha'))}
              isReadOnly={isReadOnly}
              onChange={(alpha) => setDraft({ ...draft, alpha })}
            />
          </>
        )}
      </SavedForm>
    </div>
  )
}

type PercentProps = {
  readonly label: string
  readonly value: string
  readonly hint: string | null
  readonly fault: string | null
  readonly isReadOnly: boolean
  readonly onChange: (value: string) => void
}

const Percent = ({ label, value, hint, fault, isReadOnly, onChange }: PercentProps): ReactNode => (
  <Field label={label} hint={hint ?? undefined} fault={fault}>
    {(ids) => (
      <div className={styles.amount}>
        <input
          {...ids}
          className={styles.select}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(target.value)}
        />
        <span aria-hidden="true" className={styles.unit}>
          %
        </span>
      </div>
    )}
  </Field>
)
