// The page of the workspace prices: prices of models that the price list of the service does not contain, or that differ from what is paid.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingRole } from '../../app/use-role.ts'
import { formatCount, formatUsd, missing } from '../../format/index.ts'
import { ConfirmDialog } from '../../settings/ConfirmDialog.tsx'
import styles from '../../settings/settings.module.css'
import { isNamed } from '../../stats/facts.ts'
import { Button, CloseButton, type Column, Dialog, Empty, Money, Page, Panel, Table, Time } from '../../ui/index.ts'
import { PriceDialog } from './PriceDialog.tsx'
import type { Place } from './price-place.ts'
import { listPrices, type ModelUse, matchesModel, type Price, previewPrice } from './price-preview.ts'
import { modelsQuery, pricesQuery, shownDays, useReplacePrices } from './price-queries.ts'

const route = getRouteApi('/w/$workspace_id/settings/prices')

export function PricesPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const prices = useQuery(pricesQuery(workspaceId))
  const models = useQuery(modelsQuery(workspaceId))
  const missingRole = useMissingRole(workspaceId, 'admin')
  const [edited, setEdited] = useState<{ readonly place: Place; readonly model: string } | null>(null)
  const [removed, setRemoved] = useState<Place | null>(null)
  const list = prices.data
  const whyNotAdd = missingRole ?? (list === undefined ? 'Loading…' : undefined)
  const addFor = (model: string): void => {
    if (list !== undefined) setEdited({ place: { list, at: list.prices.length }, model })
  }
  const add = (
    <Button variant="primary" unavailable={whyNotAdd} onClick={() => addFor('')}>
      Add a price
    </Button>
  )
  return (
    <Page title="Prices" tabTitle="Prices · Settings" actions={add}>
      <p className={styles.lead}>
        The service knows the list prices of the usual providers. A price that is set here takes precedence over them,
        for events that arrive after the change; stored events keep their costs.
      </p>
      <Panel
        title="Prices of this workspace"
        query={prices}
        height={120}
        empty={({ prices: rows }) =>
          rows.length === 0 ? (
            <Empty>No price is set here: models cost their list prices, where these are known.</Empty>
          ) : null
        }
      >
        {(shown) => (
          <PriceTable
            prices={shown.prices}
            models={models.data ?? null}
            missingRole={missingRole}
            onEdit={(at) => setEdited({ place: { list: shown, at }, model: '' })}
            onRemove={(at) => setRemoved({ list: shown, at })}
          />
        )}
      </Panel>
      <Panel
        title={`Models of the last ${shownDays} days`}
        query={models}
        height={120}
        empty={(rows) => (rows.length === 0 ? <Empty>No model was called in the last {shownDays} days.</Empty> : null)}
      >
        {(rows) => <ModelTable models={rows} prices={list?.prices ?? []} whyNotAdd={whyNotAdd} onAdd={addFor} />}
      </Panel>
      {edited !== null && (
        <PriceDialog
          workspaceId={workspaceId}
          {...edited}
          models={models.data ?? null}
          onClose={() => setEdited(null)}
        />
      )}
      {removed !== null && <RemoveDialog workspaceId={workspaceId} place={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

type TableProps = {
  readonly prices: readonly Price[]
  /** Null: not loaded yet. */
  readonly models: readonly ModelUse[] | null
  readonly missingRole: string | undefined
  readonly onEdit: (at: number) => void
  readonly onRemove: (at: number) => void
}

const amount = (usd: number | null): string => (usd === null ? 'as input' : formatUsd(usd))

function PriceTable({ prices, models, missingRole, onEdit, onRemove }: TableProps) {
  const columns: readonly Column<Price>[] = [
    { key: 'model', header: 'Model', cell: ({ model }) => <code>{model}</code> },
    { key: 'provider', header: 'Provider', cell: ({ provider }) => provider ?? 'any' },
    { key: 'input', header: 'Input, 1M', isNumber: true, cell: (price) => amount(price.input_usd_per_m) },
    { key: 'output', header: 'Output, 1M', isNumber: true, cell: (price) => amount(price.output_usd_per_m) },
    { key: 'cached', header: 'Cached, 1M', isNumber: true, cell: (price) => amount(price.cached_usd_per_m) },
    { key: 'write', header: 'Cache write, 1M', isNumber: true, cell: (price) => amount(price.cache_write_usd_per_m) },
    {
      key: 'from',
      header: 'For calls from',
      cell: ({ valid_from: from }) => (from === null ? 'any time' : <Time time={from} precision="min" />),
    },
    {
      key: 'matches',
      header: 'Matches',
      isNumber: true,
      cell: ({ model }) => (models === null ? missing : sayMatches(countMatches(models, model))),
    },
    {
      key: 'actions',
      header: <span className="visually-hidden">Change</span>,
      isNumber: true,
      cell: (price) => (
        <span className={styles.buttons}>
          <Button
            unavailable={missingRole}
            aria-label={`Edit the price of ${price.model}`}
            onClick={() => onEdit(prices.indexOf(price))}
          >
            Edit
          </Button>
          <Button
            variant="danger"
            unavailable={missingRole}
            aria-label={`Remove the price of ${price.model}`}
            onClick={() => onRemove(prices.indexOf(price))}
          >
            Remove
          </Button>
        </span>
      ),
    },
  ]
  return (
    <Table
      label="Prices of this workspace, in USD for a million tokens"
      columns={columns}
      rows={prices}
      rowKey={(price) => String(prices.indexOf(price))}
    />
  )
}

const countMatches = (models: readonly ModelUse[], pattern: string): number =>
  models.filter((model) => isNamed(model) && matchesModel(pattern, model.key)).length

const sayMatches = (count: number): string => (count === 1 ? '1 model' : `${formatCount(count)} models`)

type ModelTableProps = Pick<TableProps, 'prices'> & {
  readonly models: readonly ModelUse[]
  readonly whyNotAdd: string | undefined
  readonly onAdd: (model: string) => void
}

function ModelTable({ models, prices, whyNotAdd, onAdd }: ModelTableProps) {
  const costThen: Column<ModelUse> = {
    key: 'then',
    header: 'Cost at this price',
    isNumber: true,
    cell: (model) => {
      const [own] = listPrices(prices, model.key, Date.now())
      const [then] = own === undefined ? [] : previewPrice(own, prices, [model], Date.now())
      return then === undefined ? missing : <span title={then.note ?? undefined}>{formatUsd(then.costUsd)}</span>
    },
  }
  const columns: readonly Column<ModelUse>[] = [
    { key: 'model', header: 'Model', cell: ({ label }) => <code>{label}</code> },
    { key: 'calls', header: 'LLM calls', isNumber: true, cell: (model) => formatCount(model.llm_calls) },
    {
      key: 'cost',
      header: 'Cost',
      isNumber: true,
      cell: (model) => <Money usd={model.cost_usd} unpricedCalls={model.unpriced_calls} />,
    },
    {
      key: 'price',
      header: 'Price from now on',
      cell: (model) => {
        const { key, unpriced_calls: unpriced } = model
        if (!isNamed(model)) return missing
        const [own] = listPrices(prices, key, Date.now())
        if (own !== undefined) {
          return (
            <>
              that of <code>{own.model}</code> above
            </>
          )
        }
        if (unpriced === 0) return 'list price'
        return (
          <Button unavailable={whyNotAdd} aria-label={`Add a price for ${key}`} onClick={() => onAdd(key)}>
            None: add one
          </Button>
        )
      },
    },
    ...(prices.length === 0 ? [] : [costThen]),
  ]
  return <Table label="Models by cost" columns={columns} rows={models} rowKey={({ key }) => key} />
}

type RemoveProps = {
  readonly workspaceId: string
  readonly place: Place
  readonly onClose: () => void
}

function RemoveDialog({ workspaceId, place: opened, onClose }: RemoveProps) {
  const { place, fate, replace } = useReplacePrices(workspaceId, opened)
  const { at } = place
  const { prices } = place.list
  const model = opened.list.prices[opened.at]?.model ?? ''
  if (fate === 'removed') {
    return (
      <Dialog title={`The price of “${model}” is removed`} isOpen onClose={onClose}>
        <p role="alert">Another person has already removed this price.</p>
        <CloseButton>Close</CloseButton>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Remove the price of “${model}”?`}
      action="Remove the price"
      refusal="Keep it"
      isBusy={replace.isPending}
      error={replace.error}
      onConfirm={() => replace.mutate(prices.toSpliced(at, 1), { onSuccess: onClose })}
      onClose={onClose}
    >
      Events that arrive from now on are priced by the next price that matches, or by the list price. Stored costs stay.
    </ConfirmDialog>
  )
}
