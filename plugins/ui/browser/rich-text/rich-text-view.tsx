import { useEffect, useId, useMemo, useState, type ReactNode } from 'react'
import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import { findFileSupport } from '../editor/files/uploads.ts'
import { Button } from '../parts/controls.tsx'
import { Icon } from '../parts/icons.tsx'
import { CodeBlock } from './code-block.tsx'
import { displayDocument, isPlainText } from './display-document.ts'
import { TextWithReferences } from './references.tsx'
import { Callout, Details, FootnoteItem, FootnoteReference, Footnotes } from './special-blocks.tsx'
import styles from './rich-text.module.css'

export const richTextClass = styles['text']!

/** Resolves when the displayed data has been fetched again. */
type Tick = (n: number, met: boolean) => Promise<unknown>

export interface ItemAction {
  icon: string
  /** @param text of the item, without the lists in it */
  label: (text: string) => string
  isFor: (text: string) => boolean
  /** @param n counts the list items of the stored document from 1, those in others included */
  run: (n: number) => void
}

interface Context {
  id: string
  /** The level of the last heading: below a page's h2, no level is skipped. */
  heading: number
  onTick: Tick | undefined
  itemAction?: ItemAction | undefined
}
interface RichTextViewProps {
  doc: NodeJson | null
  onTick?: Tick
  itemAction?: ItemAction
}

/** No HTML of the text becomes markup. The numbers of `onTick` are like those of the server. */
export function RichTextView({ doc, onTick, itemAction }: RichTextViewProps) {
  return (
    <div className={styles['text']} dir="auto">
      {doc && <Blocks doc={doc} onTick={onTick} itemAction={itemAction} />}
    </div>
  )
}

type BlocksProps = Partial<Pick<Context, 'onTick' | 'itemAction'>> & { doc: NodeJson }
function Blocks({ doc, onTick, itemAction }: BlocksProps) {
  const context: Context = { id: useId(), heading: 2, onTick, itemAction }
  const { blocks, footnotes } = useMemo(() => displayDocument(doc), [doc])
  return (
    <>
      {blocks.map((node, at) => block(node, at, context))}
      {footnotes.length > 0 && (
        <Footnotes>
          {footnotes.map(({ n, references, content }) => (
            <FootnoteItem key={n} id={context.id} n={n} references={references}>
              {inline({ type: 'paragraph', content }, context)}
            </FootnoteItem>
          ))}
        </Footnotes>
      )}
    </>
  )
}

/** Markdown, as it is written until the parser is loaded. */
export function Markdown({ text, isInline = false }: { text: string; isInline?: boolean }) {
  const [doc, setDoc] = useState<NodeJson>()
  useEffect(() => {
    let isCurrent = true
    import('../../../../lib/rich-text/index.ts')
      .then(({ parse }) => isCurrent && setDoc(parse(text).toJSON() as NodeJson))
      // It cannot be loaded, or is too large: it is displayed as it is written.
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [text])
  const context: Context = { id: useId(), heading: 2, onTick: undefined }
  const [first, second] = doc?.content ?? []
  if (isInline) return first?.type === 'paragraph' && !second ? inline(first, context) : text
  return doc ? <Blocks doc={doc} /> : <p className={styles['raw']}>{text}</p>
}

function block(node: NodeJson, key: number, context: Context): ReactNode {
  const inner = () => node.content?.map((child, at) => block(child, at, context))
  const attrs = node.attrs ?? {}
  const isTight = attrs['tight'] === true || undefined
  switch (node.type) {
    case 'paragraph':
      return <p key={key}>{inline(node, context)}</p>
    case 'heading': {
      context.heading = Math.min(6, Number(attrs['level']) + 2, context.heading + 1)
      const Heading = `h${context.heading}` as 'h3'
      return (
        <Heading key={key} data-level={Number(attrs['level'])}>
          {inline(node, context)}
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
      return item(node, key, context, inner)
    case 'html_block':
      return (
        <pre key={key} className={styles['raw']} tabIndex={0}>
          {String(attrs['html'])}
        </pre>
      )
    default:
      return special(node, key, context, inner)
  }
}

function special(node: NodeJson, key: number, context: Context, inner: () => ReactNode): ReactNode {
  const { type, text = '', attrs = {} } = node
  const summary = attrs['summary'] as string | undefined
  switch (type) {
    case 'details':
      return (
        <Details key={key} isOpen={attrs['isOpen'] === true} summary={summary && <Markdown text={summary} isInline />}>
          {inner()}
        </Details>
      )
    case 'callout':
      return (
        <Callout key={key} kind={String(attrs['kind'])}>
          {inner()}
        </Callout>
      )
    case 'markdown':
      return <Markdown key={key} text={text} />
    default:
      return partOfTable(node, key, context, inner)
  }
}

function partOfTable(node: NodeJson, key: number, context: Context, inner: () => ReactNode): ReactNode {
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
          {inline(node, context)}
        </th>
      )
    case 'table_cell':
      return (
        <td key={key} style={{ textAlign }}>
          {inline(node, context)}
        </td>
      )
    default:
      return null
  }
}

function item(node: NodeJson, key: number, { onTick, itemAction }: Context, inner: () => ReactNode): ReactNode {
  const checked = node.attrs?.['checked']
  const action = itemAction && <ItemButton node={node} action={itemAction} />
  if (checked == null) {
    return (
      <li key={key}>
        {action}
        {inner()}
      </li>
    )
  }
  const n = Number(node.attrs?.['task'])
  const isMet = checked === true
  return (
    <li key={key} data-task data-checked={isMet}>
      <TaskBox
        label={plainText(node.content?.[0]) || 'Task'}
        isMet={isMet}
        onTick={n === 0 ? undefined : onTick && (met => onTick(n, met))}
      />
      <div>
        {action}
        {inner()}
      </div>
    </li>
  )
}

function ItemButton({ node, action: { icon, label, isFor, run } }: { node: NodeJson; action: ItemAction }) {
  const text = plainText(node.content?.[0]).trim()
  const n = Number(node.attrs?.['item'])
  if (text === '' || Number.isNaN(n) || !isFor(text)) return null
  return (
    <button
      type="button"
      className={styles['action']}
      aria-label={label(text)}
      title={label(text)}
      onClick={() => run(n)}
    >
      <Icon name={icon} size={14} />
    </button>
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

export const plainText = (node: NodeJson | undefined): string =>
  node?.text ?? node?.content?.map(plainText).join('') ?? ''

const inline = (node: NodeJson, context: Context): ReactNode =>
  node.content?.map((child, at) => {
    const marked = (child.marks ?? []).reduceRight<ReactNode>(
      (inside, { type, attrs }) => mark(type, attrs ?? {}, inside),
      isPlainText(child) ? <TextWithReferences text={child.text!} /> : leaf(child, context)
    )
    return <span key={at}>{marked}</span>
  })

function leaf({ type, text, attrs = {} }: NodeJson, { id }: Context): ReactNode {
  switch (type) {
    case 'text':
      return text
    case 'hard_break':
      return <br />
    case 'footnote_reference':
      return <FootnoteReference id={id} n={Number(attrs['n'])} nth={Number(attrs['nth'])} />
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
    <span className={styles['remote']}>
      <Button onClick={() => setShown(true)}>
        Show the image {alt && `“${alt}” `}from {host}
      </Button>
    </span>
  )
}
