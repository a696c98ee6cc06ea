// The command palette: opens a page, an agent or a workspace by name, or the object that an id names.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  ListBox,
  ListBoxItem,
  Modal,
  ModalOverlay,
  TextField,
} from 'react-aria-components'
import { useAgents } from '../../agents/use-agents.ts'
import { api, dataOf } from '../../api/client.ts'
import { ApiFault } from '../../api/fault.ts'
import { carryWindow, type Search, stringifySearch } from '../../window/index.ts'
import { railItems } from '../frame/rail-items.ts'
import { workspacesQuery } from '../queries.ts'
import { type Entry, findEntries, isIdLike, pathOf } from './entries.ts'
import styles from './palette.module.css'

type Props = {
  readonly workspaceId: string
  readonly text: string
  readonly onTextChange: (text: string) => void
  /** Called when the field has the focus and receives typed text itself. */
  readonly onFocus: () => void
  readonly onClose: () => void
}

const lookUpKey = 'look-up'

export function Palette({ workspaceId, text, onTextChange, onFocus, onClose }: Props) {
  const router = useRouter()
  const wanted = text.trim()
  const entries = useEntries(workspaceId, wanted !== '')
  const found = findEntries(entries, wanted)
  const lookUp = useMutation({
    mutationFn: async (id: string) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/lookup', {
          params: { path: { workspace_id: workspaceId }, query: { id } },
        }),
      ),
  })
  const go = (path: string): void => {
    onClose()
    router.history.push(path)
  }
  const act = (key: string): void => {
    // A callback of the call is not called once the palette is closed, so that a person who went elsewhere meanwhile stays there.
    const follow = (answer: Parameters<typeof pathOf>[0]): void => go(`/w/${workspaceId}${pathOf(answer)}`)
    if (key === lookUpKey) return lookUp.mutate(wanted, { onSuccess: follow })
    const entry = entries.find(({ id }) => id === key)
    if (entry !== undefined) go(entry.path)
  }
  // An id is looked up only when the user chooses this item: most texts are not ids, and the browser logs each miss as an error.
  const lookUpItem =
    wanted === '' ? [] : [{ id: lookUpKey, label: `Find what “${wanted}” names`, group: 'Id', path: '' }]
  const items = isIdLike(wanted) ? [...lookUpItem, ...found] : [...found, ...lookUpItem]
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isDismissable
      isOpen
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label="Go to" className={styles.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={(next) => (onTextChange(next), lookUp.reset())}>
            <TextField
              aria-label="Go to a page, an agent, a workspace or an id"
              autoFocus
              className={styles.search ?? ''}
            >
              <Input
                role="combobox"
                aria-expanded
                aria-haspopup="listbox"
                className={styles.input ?? ''}
                placeholder="Go to a page, an agent, a workspace, or paste an id"
                onFocus={({ currentTarget: { value }, currentTarget }) => {
                  // The cursor goes after the text that was typed before the field was rendered.
                  currentTarget.setSelectionRange(value.length, value.length)
                  onFocus()
                }}
              />
            </TextField>
            {lookUp.isError ? (
              <p className={styles.note} role="alert">
                {describeFault(lookUp.error)}
              </p>
            ) : null}
            <ListBox
              aria-label="Places"
              className={styles.list ?? ''}
              items={items}
              onAction={(key) => act(String(key))}
              renderEmptyState={() => 'Nothing has this name.'}
            >
              {({ id, label, group }: Entry) => (
                <ListBoxItem className={styles.item ?? ''} id={id} textValue={label}>
                  <span className={styles.label}>{label}</span>
                  <span className={styles.group}>{group}</span>
                </ListBoxItem>
              )}
            </ListBox>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const describeFault = (fault: unknown): string =>
  fault instanceof ApiFault && fault.status === 404
    ? 'Nothing in this workspace has this id.'
    : fault instanceof ApiFault
      ? fault.detail
      : String(fault)

/** `isSearched`: also loads the agents beyond the first page of their list. */
function useEntries(workspaceId: string, isSearched: boolean): readonly Entry[] {
  const router = useRouter()
  const search: Search = useSearch({ strict: false })
  const { data: workspaces } = useQuery(workspacesQuery)
  const { data: agents } = useAgents(workspaceId, isSearched)
  return useMemo(() => {
    const base = `/w/${workspaceId}`
    const window = stringifySearch(carryWindow(search))
    const pages = railItems.map(({ label, to }) => ({
      id: `page ${to}`,
      label,
      group: 'Page',
      path: to.replace('/w/$workspace_id', base) + window,
    }))
    const start = { id: 'page start', label: 'Send the first trace', group: 'Page', path: `${base}/start` }
    return [
      ...pages,
      start,
      ...(agents ?? []).map(({ id, name }) => ({
        id: `agent ${id}`,
        label: name,
        group: 'Agent',
        path: `${base}/agents/${id}${window}`,
      })),
      ...(workspaces ?? [])
        .filter(({ id }) => id !== workspaceId)
        .map(({ id, name, org_name: org }) => ({
          id: `workspace ${id}`,
          label: name,
          group: `Workspace of ${org}`,
          path: router.buildLocation({ to: '/w/$workspace_id', params: { workspace_id: id } }).href,
        })),
    ]
  }, [router, search, workspaceId, workspaces, agents])
}
