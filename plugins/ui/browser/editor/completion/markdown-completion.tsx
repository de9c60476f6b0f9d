import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isComposing } from '../../keys.ts'
import type { Place } from '../../parts/place.ts'
import type { Uploads } from '../files/uploads.ts'
import { Completing } from './completing.ts'
import { CompletionList } from './completion-list.tsx'
import { makeMarkdownBlocks, replaceBefore } from './markdown-blocks.ts'
import { contributedSources } from './word.ts'

export interface MarkdownCompletionProps {
  field: HTMLTextAreaElement
  uploads: Uploads
}
export default function MarkdownCompletion({ field, uploads }: MarkdownCompletionProps) {
  const client = useQueryClient()
  const [completing] = useState(
    () =>
      new Completing<HTMLTextAreaElement>({
        sources: [makeMarkdownBlocks(uploads), ...contributedSources(client, replaceWord)],
        elementOf: field => field,
        placeOf: placeInField
      })
  )
  useEffect(() => {
    field.setAttribute('aria-autocomplete', 'list')
    const ending = new AbortController()
    const { signal } = ending
    const update = (isTyped: boolean) => completing.update(field, textBefore(field), field.selectionEnd, isTyped)
    field.addEventListener(
      'input',
      event => update(!(event instanceof InputEvent && event.inputType.startsWith('history'))),
      { signal }
    )
    // The list hears a key before the field and its page do.
    field.addEventListener('keydown', event => isComposing(event) || completing.handleKey(event), { signal })
    field.addEventListener('blur', () => completing.leave(), { signal })
    document.addEventListener('selectionchange', () => update(false), { signal })
    return () => {
      ending.abort()
      completing.leave()
    }
  }, [completing, field])
  return <CompletionList completing={completing} />
}

const FENCE = /^ {0,3}(?:```|~~~)/gm

/** Undefined in code. */
function textBefore(field: HTMLTextAreaElement): string | undefined {
  const { value, selectionStart, selectionEnd, readOnly } = field
  if (readOnly || selectionStart !== selectionEnd || document.activeElement !== field) return undefined
  const before = value.slice(0, selectionEnd)
  const isInFence = (before.match(FENCE)?.length ?? 0) % 2 === 1
  return isInFence ? undefined : before.slice(before.lastIndexOf('\n') + 1)
}

function replaceWord(field: HTMLTextAreaElement, from: number, text: string): void {
  const hasSpace = /\s/.test(field.value.charAt(field.selectionEnd))
  replaceBefore(field, from, hasSpace ? text : `${text} `)
}

/** Measured in a copy: a text area has no places of characters. */
function placeInField(field: HTMLTextAreaElement, at: number): Place {
  const copy = document.body.appendChild(document.createElement('div'))
  const style = getComputedStyle(field)
  for (const name of style) copy.style.setProperty(name, style.getPropertyValue(name))
  Object.assign(copy.style, { position: 'fixed', inset: '0 auto auto 0', visibility: 'hidden', whiteSpace: 'pre-wrap' })
  copy.textContent = field.value.slice(0, at)
  const mark = copy.appendChild(document.createElement('span'))
  // A word is not broken where it begins.
  mark.textContent = field.value.slice(at).split(/\s/, 1)[0] || ' '
  const [{ left, top }, outer, rect] = [
    field.getBoundingClientRect(),
    copy.getBoundingClientRect(),
    mark.getClientRects()[0]!
  ]
  copy.remove()
  const shift = top - outer.top - field.scrollTop
  return { left: left + rect.left - outer.left, top: rect.top + shift, bottom: rect.bottom + shift }
}
