// Renders the Markdown of a message as elements. HTML in it is shown as text, links show their address, and images are shown as
// an address that is not fetched.
import type { Association, Link as LinkNode, Nodes, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { type ReactNode, useMemo } from 'react'
import styles from './content.module.css'
import { Linked } from './Linked.tsx'
import { isWebAddress } from './text.ts'

export default function Markdown({ text }: { readonly text: string }) {
  const root = useMemo(
    () => fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }),
    [text],
  )
  return <div className={styles.markdown}>{showChildren(root)}</div>
}

const showChildren = (node: { readonly children: readonly Nodes[] }): ReactNode[] =>
  node.children.map((child, at) => <Node key={`${at}`} node={child} />)

type Views = { readonly [Type in Nodes['type']]?: (node: Extract<Nodes, { type: Type }>) => ReactNode }

const views: Views = {
  text: ({ value }) => <Linked text={value} />,
  paragraph: (node) => <p>{showChildren(node)}</p>,
  heading: (node) => (
    <p>
      <strong>{showChildren(node)}</strong>
    </p>
  ),
  strong: (node) => <strong>{showChildren(node)}</strong>,
  emphasis: (node) => <em>{showChildren(node)}</em>,
  inlineCode: ({ value }) => <code>{value}</code>,
  code: ({ value }) => <pre>{value}</pre>,
  blockquote: (node) => <blockquote>{showChildren(node)}</blockquote>,
  list: (node) =>
    node.ordered === true ? <ol start={node.start ?? 1}>{showChildren(node)}</ol> : <ul>{showChildren(node)}</ul>,
  listItem: (node) => <li>{showChildren(node)}</li>,
  break: () => <br />,
  thematicBreak: () => <hr />,
  table: (node) => <TableView table={node} />,
  link: (node) => <LinkView link={node} />,
  // A reference is shown as it is written. Its definition is shown where it stands in the text.
  linkReference: (node) => (
    <>
      [{showChildren(node)}]{node.referenceType === 'full' ? `[${nameReference(node)}]` : ''}
    </>
  ),
  imageReference: (node) => `[image ${node.alt ?? ''}, see [${nameReference(node)}]]`,
  definition: (node) => (
    <p>
      [{nameReference(node)}]: <Linked text={node.url} />
      {node.title === null || node.title === undefined ? '' : ` "${node.title}"`}
    </p>
  ),
  image: ({ alt, url }) => <Linked text={`[image ${alt ?? ''} at ${url}, not loaded]`} />,
}

const nameReference = ({ label, identifier }: Pick<Association, 'label' | 'identifier'>): string => label ?? identifier

function Node({ node }: { readonly node: Nodes }): ReactNode {
  const view = views[node.type] as ((node: Nodes) => ReactNode) | undefined
  if (view !== undefined) return view(node)
  // HTML, and all other nodes that have a text.
  return 'children' in node ? showChildren(node) : 'value' in node ? node.value : null
}

/** Shows the text of a link and then its address, so that the user always sees where it leads. */
function LinkView({ link }: { readonly link: LinkNode }) {
  const words = showChildren(link)
  if (!isWebAddress(link.url))
    return (
      <>
        {words} ({link.url})
      </>
    )
  const [only] = link.children
  if (link.children.length === 1 && only?.type === 'text' && only.value === link.url) return <Linked text={link.url} />
  return (
    <>
      {words} (
      <a href={link.url} rel="noreferrer" target="_blank">
        {link.url}
      </a>
      )
    </>
  )
}

function TableView({ table: { children } }: { readonly table: Table }) {
  const [head, ...rows] = children
  return (
    <table>
      <thead>
        <tr>
          {head?.children.map((cell, at) => (
            <th key={`${at}`} scope="col">
              {showChildren(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={`${at}`}>
            {row.children.map((cell, place) => (
              <td key={`${place}`}>{showChildren(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
