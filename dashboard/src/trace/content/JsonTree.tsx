// A JSON value as a tree. Levels below the second are folded at first.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../format/index.ts'
import styles from './content.module.css'
import { Text } from './Text.tsx'

const openLevels = 2
/** The number of members that are shown at first; the others are shown on demand. */
const shownMembers = 100
const inlineCharacters = 120

type Props = { readonly value: unknown; readonly level?: number }

export function JsonTree({ value, level = 0 }: Props) {
  if (typeof value === 'string') return <StringValue text={value} />
  if (typeof value !== 'object' || value === null) return <span className={styles.literal}>{String(value)}</span>
  return <Members isList={Array.isArray(value)} level={level} members={Object.entries(value)} />
}

function StringValue({ text }: { readonly text: string }) {
  const isBlock = text.length > inlineCharacters || text.includes('\n') || text.startsWith('data:')
  if (isBlock) return <Text isMono text={text} />
  return <span className={styles.string}>{JSON.stringify(text)}</span>
}

type MembersProps = {
  readonly isList: boolean
  readonly level: number
  readonly members: readonly [name: string, value: unknown][]
}

function Members({ isList, level, members }: MembersProps) {
  const [isOpen, setIsOpen] = useState(level < openLevels)
  const [shown, setShown] = useState(shownMembers)
  if (members.length === 0) return <span className={styles.literal}>{isList ? '[]' : '{}'}</span>
  const count = `${formatCount(members.length)} ${isList ? 'item' : 'member'}${members.length === 1 ? '' : 's'}`
  return (
    <div className={styles.tree}>
      <button aria-expanded={isOpen} className={styles.fold} onClick={() => setIsOpen(!isOpen)} type="button">
        {isOpen ? <ChevronDown aria-hidden size={12} /> : <ChevronRight aria-hidden size={12} />}
        {isList ? `[${count}]` : `{${count}}`}
      </button>
      {isOpen ? (
        <ul className={styles.members}>
          {members.slice(0, shown).map(([name, value]) => (
            <li key={name}>
              <span className={styles.key}>{name}</span>: <JsonTree level={level + 1} value={value} />
            </li>
          ))}
          {members.length > shown ? (
            <li>
              <button className={styles.more} onClick={() => setShown(shown * 10)} type="button">
                Show more ({formatCount(members.length - shown)} left)
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  )
}
