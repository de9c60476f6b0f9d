import { useState, type ReactNode } from 'react'
import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import { findFileSupport } from '../editor/files/uploads.ts'
import { Button } from '../parts/controls.tsx'
import { CodeBlock } from './code-block.tsx'
import styles from './rich-text.module.css'

/** The class of a rich text, for an editor with the same style. */
export const richTextClass = styles['text']!

/** The number of tasks so far, and the level of the last heading: below a page's h2, no level is skipped. */
interface Count {
  n: number
  heading: number
}
/** Resolves when the displayed data has been fetched again. */
type Tick = (n: number, met: boolean) => Promise<unknown>

/**
 * A rich text as elements, without an editor. No HTML of the text becomes markup, and images of other hosts are loaded
 * only on a click. Boxes can be ticked if `onTick` is given; `n` counts them like the server.
 */
export function RichTextView({ doc, onTick }: { doc: NodeJson | null; onTick?: Tick }) {
  const count = { n: 0, heading: 2 }
  return (
    <div className={styles['text']} dir="auto">
      {doc?.content?.map((node, at) => block(node, at, count, onTick))}
    </div>
  )
}

/** A box without text is no criterion, and is not counted. */
function hasText(node: NodeJson | undefined): boolean {
  if (node === undefined) return false
  if (node.text?.trim()) return true
  return node.content?.some(hasText) ?? node.type === 'image'
}

function block(node: NodeJson, key: number, count: Count, onTick: Tick | undefined): ReactNode {
  const inner = () => node.content?.map((child, at) => block(child, at, count, onTick))
  const attrs = node.attrs ?? {}
  const isTight = attrs['tight'] === true || undefined
  switch (node.type) {
    case 'paragraph':
      return <p key={key}>{inline(node)}</p>
    case 'heading': {
      count.heading = Math.min(6, Number(attrs['level']) + 2, count.heading + 1)
      const Heading = `h${count.heading}` as 'h3'
      return (
        <Heading key={key} data-level={Number(attrs['level'])}>
          {inline(node)}
        </Heading>
      )
    }
    case 'blockquote':
      return <blockquote key={key}>{inner()}</blockquote>
    case 'horizontal_rule':
      return <hr key={key} />
    case 'code_block':
      return <CodeBlock key={key} code={plainText(node)} params={attrs['params']} />
    case 'bullet_list':
      return (
        <ul key={key} data-tight={isTight}>
          {inner()}
        </ul>
      )
    case 'ordered_list':
      return (
        <ol key={key} start={Number(attrs['order'] ?? 1)} data-tight={isTight}>
          {inner()}
        </ol>
      )
    case 'list_item':
      return item(node, key, count, onTick, inner)
    case 'html_block':
      return (
        <pre key={key} className={styles['raw']} tabIndex={0}>
          {String(attrs['html'])}
        </pre>
      )
    default:
      return partOfTable(node, key, inner)
  }
}

function partOfTable(node: NodeJson, key: number, inner: () => ReactNode): ReactNode {
  const textAlign = node.attrs?.['align'] as 'left'
  switch (node.type) {
    case 'table':
      return (
        <div key={key} className={styles['wide']} tabIndex={0} role="group" aria-label="Table">
          <table>
            <tbody>{inner()}</tbody>
          </table>
        </div>
      )
    case 'table_row':
      return <tr key={key}>{inner()}</tr>
    case 'table_header':
      return (
        <th key={key} scope="col" style={{ textAlign }}>
          {inline(node)}
        </th>
      )
    case 'table_cell':
      return (
        <td key={key} style={{ textAlign }}>
          {inline(node)}
        </td>
      )
    default:
      return null
  }
}

function item(node: NodeJson, key: number, count: Count, onTick: Tick | undefined, inner: () => ReactNode): ReactNode {
  const checked = node.attrs?.['checked']
  if (checked == null) return <li key={key}>{inner()}</li>
  const n = hasText(node.content?.[0]) ? ++count.n : 0
  const isMet = checked === true
  return (
    <li key={key} data-task data-checked={isMet}>
      <TaskBox
        label={plainText(node.content?.[0]) || 'Task'}
        isMet={isMet}
        onTick={n === 0 ? undefined : onTick && (met => onTick(n, met))}
      />
      <div>{inner()}</div>
    </li>
  )
}

interface TaskBoxProps {
  label: string
  isMet: boolean
  onTick: ((met: boolean) => Promise<unknown>) | undefined
}
/** Shows the clicked state until the answer has arrived. */
function TaskBox({ label, isMet, onTick }: TaskBoxProps) {
  const [clicked, setClicked] = useState<boolean>()
  function tick(): void {
    setClicked(!isMet)
    onTick?.(!isMet).then(
      () => setClicked(undefined),
      () => setClicked(undefined)
    )
  }
  return (
    <input
      type="checkbox"
      checked={clicked ?? isMet}
      disabled={onTick === undefined || clicked !== undefined}
      aria-label={label}
      onChange={tick}
    />
  )
}

const plainText = (node: NodeJson | undefined): string => node?.text ?? node?.content?.map(plainText).join('') ?? ''

const inline = (node: NodeJson): ReactNode =>
  node.content?.map((child, at) => {
    const marked = (child.marks ?? []).reduceRight<ReactNode>(
      (inside, { type, attrs }) => mark(type, attrs ?? {}, inside),
      leaf(child)
    )
    return <span key={at}>{marked}</span>
  })

function leaf({ type, text, attrs = {} }: NodeJson): ReactNode {
  switch (type) {
    case 'text':
      return text
    case 'hard_break':
      return <br />
    case 'line_feed':
      return '\n'
    case 'image':
      return <Image src={String(attrs['src'])} alt={String(attrs['alt'] ?? '')} />
    case 'html_inline':
      return <code className={styles['raw']}>{String(attrs['html'])}</code>
    default:
      return null
  }
}

function mark(type: string, attrs: Record<string, unknown>, inside: ReactNode): ReactNode {
  switch (type) {
    case 'em':
      return <em>{inside}</em>
    case 'strong':
      return <strong>{inside}</strong>
    case 'strike':
      return <s>{inside}</s>
    case 'code':
      return <code>{inside}</code>
    case 'link':
      return <SafeLink href={String(attrs['href'])}>{inside}</SafeLink>
    default:
      return inside
  }
}

/** Only allowed addresses become links. */
function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const files = findFileSupport()
  if (files?.isFile(href)) return <files.Link address={href}>{children}</files.Link>
  if (!/^(https?:|mailto:|\/(?!\/)|#)/i.test(href)) return <span title={href}>{children}</span>
  const isOutside = /^https?:/i.test(href)
  return (
    <a href={href} rel="nofollow noopener noreferrer" target={isOutside ? '_blank' : undefined}>
      {children}
    </a>
  )
}

function Image({ src, alt }: { src: string; alt: string }) {
  const files = findFileSupport()
  if (files?.isFile(src)) return <files.Image address={src} alt={alt} />
  return src.startsWith('/') ? <SafeLink href={src}>{alt || src}</SafeLink> : <RemoteImage src={src} alt={alt} />
}

/** Loaded on a click: an image of another host would reveal the reader to that host. */
function RemoteImage({ src, alt }: { src: string; alt: string }) {
  const [isShown, setShown] = useState(false)
  if (isShown) return <img src={src} alt={alt} referrerPolicy="no-referrer" />
  const host = URL.canParse(src) ? new URL(src).host : src
  return (
    <Button onClick={() => setShown(true)}>
      Show the image {alt && `“${alt}” `}from {host}
    </Button>
  )
}
