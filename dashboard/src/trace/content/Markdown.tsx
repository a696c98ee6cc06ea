// Markdown of a message as elements. HTML in it is shown as the text that it is, links show where they lead, and images are
// addresses that nobody fetches.
import type { Link as LinkNode, Nodes, Table } from 'mdast'
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

function Node({ node }: { readonly node: Nodes }): ReactNode {
  switch (node.type) {
    case 'text':
      return <Linked text={node.value} />
    case 'paragraph':
      return <p>{showChildren(node)}</p>
    case 'heading':
      return (
        <p>
          <strong>{showChildren(node)}</strong>
        </p>
      )
    case 'strong':
      return <strong>{showChildren(node)}</strong>
    case 'emphasis':
      return <em>{showChildren(node)}</em>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return <pre>{node.value}</pre>
    case 'blockquote':
      return <blockquote>{showChildren(node)}</blockquote>
    case 'list':
      return node.ordered === true ? (
        <ol start={node.start ?? 1}>{showChildren(node)}</ol>
      ) : (
        <ul>{showChildren(node)}</ul>
      )
    case 'listItem':
      return <li>{showChildren(node)}</li>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'table':
      return <TableView table={node} />
    case 'link':
      return <LinkView link={node} />
    case 'image':
      return <Linked text={`[image ${node.alt ?? ''} at ${node.url}, not loaded]`} />
    default:
      // HTML, definitions and whatever else has a text.
      return 'children' in node ? showChildren(node) : 'value' in node ? node.value : null
  }
}

/** The words of the link, then its address: what is followed is always read. */
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
