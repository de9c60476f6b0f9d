import { useEffect, useState } from 'react'
import { highlight } from './highlight.ts'
import type { Span } from './messages.ts'

const PLAIN: readonly Span[] = []

export function useHighlight(code: string, language: string): readonly Span[] {
  const [shown, setShown] = useState({ code, spans: PLAIN })
  useEffect(() => {
    let isCurrent = true
    highlight(code, language).then(spans => {
      if (isCurrent) setShown({ code, spans })
    })
    return () => {
      isCurrent = false
    }
  }, [code, language])
  return shown.code === code ? shown.spans : PLAIN
}
