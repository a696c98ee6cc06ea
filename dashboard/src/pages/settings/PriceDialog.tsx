// The dialog that adds or edits a price: its fields, and what the calls of the last days would have cost with it.
import { type ComponentProps, type ReactNode, useState } from 'react'
import { EntryForm } from '../../app/EntryPage.tsx'
import { formatCount, formatSignedUsd, formatUsd, missing } from '../../format/index.ts'
import styles from '../../settings/settings.module.css'
import { CloseButton, type Column, Dialog, Money, Table, TextField } from '../../ui/index.ts'
import { type Draft, emptyDraft, faultOfRow, isComplete, toDraft, toPrice } from './price-form.ts'
import type { Place } from './price-place.ts'
import { type ModelUse, type Preview, type Price, previewPrice } from './price-preview.ts'
import { shownDays, useReplacePrices } from './price-queries.ts'

type Props = {
  readonly workspaceId: string
  readonly place: Place
  readonly models: readonly ModelUse[] | null
  /** What the field of the model of a new price is filled with. */
  readonly model: string
  readonly onClose: () => void
}

export function PriceDialog({ workspaceId, place: opened, models, model, onClose }: Props) {
  const { place, replace, error } = useReplacePrices(workspaceId, opened)
  const { at } = place
  const { prices } = place.list
  const before = prices[at]
  const [draft, setDraft] = useState<Draft>(() => (before === undefined ? { ...emptyDraft, model } : toDraft(before)))
  const price = toPrice(draft)
  const list = prices.toSpliced(at, 1, price)
  const field = (name: keyof Draft) => ({
    value: draft[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: target.value }),
  })
  return (
    <Dialog
      title={before === undefined ? 'Add a price' : 'Edit a price'}
      isOpen
      isBusy={replace.isPending}
      onClose={onClose}
    >
      <EntryForm
        submit={{ label: 'Save the price', sending: 'Saving…' }}
        error={error}
        isSending={replace.isPending}
        readFault={faultOfRow(at)}
        onSend={() => replace.mutate(list, { onSuccess: onClose })}
      >
        {(faultOf) => (
          <>
            <div className={styles.split}>
              <TextField
                label="Model"
                hint="* stands for any text: my-llama-*"
                required
                autoFocus
                {...field('model')}
                fault={faultOf('model')}
              />
              <TextField label="Provider" hint="Empty: any" {...field('provider')} fault={faultOf('provider')} />
            </div>
            <div className={styles.split}>
              <Usd label="Input" {...field('input')} fault={faultOf('input_usd_per_m')} />
              <Usd label="Output" {...field('output')} fault={faultOf('output_usd_per_m')} />
              <Usd
                label="Cached input"
                hint="Empty: as input"
                {...field('cached')}
                fault={faultOf('cached_usd_per_m')}
              />
              <Usd
                label="Cache write"
                hint="Empty: as input"
                {...field('write')}
                fault={faultOf('cache_write_usd_per_m')}
              />
            </div>
            <TextField
              label="For calls from (UTC)"
              hint="Empty: calls of any time. Stored events keep their costs."
              type="datetime-local"
              step={1}
              {...field('from')}
              fault={faultOf('valid_from')}
            />
            <PricePreview price={price} list={list} models={models} />
          </>
        )}
      </EntryForm>
      <CloseButton variant="quiet">Cancel</CloseButton>
    </Dialog>
  )
}

type UsdProps = ComponentProps<typeof TextField>

const Usd = ({ label, ...rest }: UsdProps) => (
  <TextField label={`${label}, USD per 1M tokens`} inputMode="decimal" {...rest} />
)

type PreviewProps = {
  readonly price: Price
  readonly list: readonly Price[]
  readonly models: readonly ModelUse[] | null
}

/** Shows what the price would have changed in the last days. */
function PricePreview({ price, list, models }: PreviewProps): ReactNode {
  if (models === null || price.model === '') return null
  const previews = previewPrice(price, list, models, Date.now())
  if (previews.length === 0) {
    return <p role="status">{`It matches none of the ${models.length} models of the last ${shownDays} days.`}</p>
  }
  const isPriced = isComplete(price)
  const columns: readonly Column<Preview>[] = [
    { key: 'model', header: 'Model', cell: ({ model }) => <code>{model.label}</code> },
    { key: 'calls', header: 'LLM calls', isNumber: true, cell: ({ model }) => formatCount(model.llm_calls) },
    {
      key: 'before',
      header: 'Cost',
      isNumber: true,
      cell: ({ model }) => <Money usd={model.cost_usd} unpricedCalls={model.unpriced_calls} />,
    },
    {
      key: 'after',
      header: 'With this price',
      isNumber: true,
      cell: ({ costUsd, note }) => <span title={note ?? undefined}>{isPriced ? formatUsd(costUsd) : missing}</span>,
    },
    {
      key: 'change',
      header: 'Change',
      isNumber: true,
      cell: ({ model, costUsd }) =>
        isPriced && costUsd !== null && model.unpriced_calls === 0
          ? formatSignedUsd(costUsd - model.cost_usd)
          : missing,
    },
  ]
  const notes = [...new Set(previews.flatMap(({ note }) => (note === null ? [] : [note])))]
  return (
    <div>
      <p role="status">
        {`It matches ${previews.length} of ${models.length} models. In the last ${shownDays} days they cost:`}
      </p>
      <Table
        label="Cost before and with this price"
        columns={columns}
        rows={previews}
        rowKey={({ model }) => model.key}
      />
      {notes.length > 0 && (
        <p className={styles.lead}>{`${notes.join('; ')}.`.replace(/^./, (first) => first.toUpperCase())}</p>
      )}
    </div>
  )
}
