// The controls for the whole trace: view, find, bars, folds, zoom.
import { type RefObject, useId } from 'react'
import { formatCount } from '../format/index.ts'
import { Button } from '../ui/index.ts'
import { wholeAxis } from './axis.ts'
import { type BarMeasure, barMeasures } from './bars.ts'
import { foldAll, unfoldAll } from './fold.ts'
import type { TraceView } from './keys.ts'
import { traceViews } from './keys.ts'
import { runCommand } from './run-command.ts'
import styles from './trace.module.css'
import type { TraceState } from './use-trace-state.ts'

type Props = {
  readonly state: TraceState
  readonly view: TraceView
  readonly wanted: string
  readonly findField: RefObject<HTMLInputElement | null>
  readonly onView: (view: TraceView) => void
  readonly onFind: (wanted: string) => void
  /** Selects a span and opens it. */
  readonly onOpen: (node: number) => void
}

const viewNames: Readonly<Record<TraceView, string>> = {
  waterfall: 'Waterfall',
  timeline: 'Timeline',
  transcript: 'Transcript',
}

export function Toolbar({ state, view, wanted, findField, onView, onFind, onOpen }: Props) {
  const { model } = state
  const measureId = useId()
  return (
    <div aria-label="Trace tools" className={styles.toolbar} role="toolbar">
      <div aria-label="View" className={styles.views} role="group">
        {traceViews.map((each, at) => (
          <button
            aria-pressed={each === view}
            key={each}
            onClick={() => onView(each)}
            title={`${viewNames[each]} (${at + 1})`}
            type="button"
          >
            {viewNames[each]}
          </button>
        ))}
      </div>
      <Find findField={findField} onFind={onFind} state={state} wanted={wanted} />
      <ErrorStep state={{ ...state, goTo: onOpen }} />
      {view === 'transcript' ? null : (
        <label className={styles.check}>
          <input
            checked={state.isCompressed}
            onChange={({ target }) => state.setCompressed(target.checked)}
            type="checkbox"
          />
          Compress gaps
        </label>
      )}
      {view === 'waterfall' ? (
        <>
          <label className={styles.check}>
            <input
              checked={state.isCritical}
              onChange={({ target }) => state.setCritical(target.checked)}
              type="checkbox"
            />
            Critical path
          </label>
          <label className={styles.check} htmlFor={measureId}>
            Bars by
            <select
              id={measureId}
              onChange={({ target }) => state.setMeasure(target.value as BarMeasure)}
              value={model.measure}
            >
              {barMeasures.map((measure) => (
                <option key={measure}>{measure}</option>
              ))}
            </select>
          </label>
        </>
      ) : null}
      {view === 'timeline' ? null : (
        <>
          <Button onClick={() => state.setFolded(unfoldAll(model.tree))} variant="quiet">
            Unfold all
          </Button>
          <Button onClick={() => state.setFolded(foldAll(model.tree))} variant="quiet">
            Fold all
          </Button>
        </>
      )}
      {model.zoom === wholeAxis ? null : (
        <Button onClick={() => state.setZoom(wholeAxis)} title="Show the whole trace (0)" variant="quiet">
          Fit
        </Button>
      )}
    </div>
  )
}

function Find({ state, wanted, findField, onFind }: Pick<Props, 'state' | 'wanted' | 'findField' | 'onFind'>) {
  const { matches, active, model } = state
  const at = matches.indexOf(model.tree.rank[active] ?? -1)
  const isFinding = wanted.trim() !== ''
  const said =
    matches.length === 0 ? 'No match' : `${at === -1 ? '' : `${formatCount(at + 1)} of `}${formatCount(matches.length)}`
  return (
    <div className={styles.find}>
      <input
        aria-label="Find in this trace"
        onChange={({ target }) => onFind(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          runCommand(state, { does: 'match', isBack: event.shiftKey })
        }}
        placeholder="Find (f)"
        ref={findField}
        type="search"
        value={wanted}
      />
      <span className={styles.count} role="status">
        {isFinding ? said : ''}
      </span>
    </div>
  )
}

function ErrorStep({ state }: { readonly state: TraceState }) {
  if (state.errors.length === 0) return null
  return (
    <Button onClick={() => runCommand(state, { does: 'error', isBack: false })} title="Next error (e)" variant="quiet">
      Next error ({formatCount(state.errors.length)})
    </Button>
  )
}
