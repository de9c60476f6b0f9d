import type { ReactNode } from 'react'
import { languageOf } from '../highlight/highlight.ts'
import type { Span } from '../highlight/messages.ts'
import { useHighlight } from '../highlight/use-highlight.ts'
import { useCopying } from '../parts/copy.ts'
import { Icon } from '../parts/icons.tsx'
import styles from './code-block.module.css'

export function CodeBlock({ code, params }: { code: string; params: unknown }) {
  const language = languageOf(params)
  const spans = useHighlight(code, language)
  return (
    <div className={styles['block']}>
      <pre tabIndex={0}>
        <code className={language === '' ? undefined : `language-${language}`}>{coloured(code, spans)}</code>
      </pre>
      <CopyButton code={code} />
    </div>
  )
}

function coloured(code: string, spans: readonly Span[]): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { from, to, colour } of spans) {
    parts.push(code.slice(at, from))
    parts.push(
      <span key={from} data-colour={colour}>
        {code.slice(from, to)}
      </span>
    )
    at = to
  }
  return [...parts, code.slice(at)]
}

function CopyButton({ code }: { code: string }) {
  const [isCopied, copy] = useCopying(code, 'Code copied')
  const label = isCopied ? 'Copied' : 'Copy code'
  return (
    <button type="button" className={styles['copy']} aria-label={label} title={label} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  )
}
