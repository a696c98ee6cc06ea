// How are rules proposed, and how sure has the service to be of them?
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EntryForm } from '../../app/EntryPage.tsx'
import { useMissingRole } from '../../app/use-role.ts'
import { Choice, Choices } from '../../settings/Choices.tsx'
import { Saved } from '../../settings/Saved.tsx'
import styles from '../../settings/settings.module.css'
import { Field, Page, Panel } from '../../ui/index.ts'
import { type Settings, settingsQuery, useChangeSettings } from './queries.ts'
import {
  explainAlpha,
  explainFloor,
  explainFreshness,
  explainHoldout,
  joinSeconds,
  readPercent,
  sayInPercent,
  showPercent,
  splitSeconds,
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
  const [isAuto, setAuto] = useState(settings.auto_shadow)
  const [age, setAge] = useState(() => {
    const { amount, unit } = splitSeconds(settings.default_freshness_s)
    return { amount: String(amount), unit }
  })
  const [holdout, setHoldout] = useState(() => showPercent(settings.holdout_rate))
  const [floor, setFloor] = useState(() => showPercent(settings.floor))
  const [alpha, setAlpha] = useState(() => showPercent(settings.alpha))
  const freshnessS = joinSeconds(age.amount, age.unit)
  return (
    <div className={styles.form}>
      <EntryForm
        submit={{ label: 'Save', sending: 'Saving…' }}
        error={change.error}
        isSending={change.isPending}
        unavailable={missingRole}
        onSend={() =>
          change.mutate({
            auto_shadow: isAuto,
            default_freshness_s: freshnessS,
            holdout_rate: readPercent(holdout),
            floor: readPercent(floor),
            alpha: readPercent(alpha),
          })
        }
      >
        {(faultOf) => (
          <>
            <Choices legend="When a rule is proposed">
              <Choice
                name="auto_shadow"
                label="Measure it at once"
                isChosen={isAuto}
                isReadOnly={isReadOnly}
                onChoose={() => setAuto(true)}
              >
                It goes to shadow by itself: its results are compared with those of real calls, and nothing is served.
              </Choice>
              <Choice
                name="auto_shadow"
                label="Wait for a person"
                isChosen={!isAuto}
                isReadOnly={isReadOnly}
                onChoose={() => setAuto(false)}
              >
                It stays proposed until a member moves it to shadow.
              </Choice>
            </Choices>
            <Field
              label="Greatest age of a served result"
              hint={explainFreshness(freshnessS) ?? undefined}
              fault={faultOf('default_freshness_s')}
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
                    onChange={({ target }) => setAge({ ...age, amount: target.value })}
                  />
                  <select
                    aria-label="Unit of the age"
                    className={styles.select}
                    value={age.unit}
                    onChange={({ target }) =>
                      setAge({ ...age, unit: units.find((one) => one === target.value) ?? age.unit })
                    }
                  >
                    {units.map((unit) => (
                      <option key={unit} disabled={isReadOnly && unit !== age.unit}>
                        {unit}
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
              onChange={setHoldout}
            />
            <Percent
              label="Floor: share of right results"
              value={floor}
              hint={explainFloor(readPercent(floor))}
              fault={sayInPercent(faultOf('floor'))}
              isReadOnly={isReadOnly}
              onChange={setFloor}
            />
            <Percent
              label="Alpha: risk of a wrong proof"
              value={alpha}
              hint={explainAlpha(readPercent(alpha))}
              fault={sayInPercent(faultOf('alpha'))}
              isReadOnly={isReadOnly}
              onChange={setAlpha}
            />
          </>
        )}
      </EntryForm>
      <Saved isSaved={change.isSuccess} />
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
  <Field label={label} hint={hint ?? 'A share above 0 and below 100 %.'} fault={fault}>
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
