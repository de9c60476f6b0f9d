import { useState } from 'react'
import { announce } from '../keys.ts'
import { reportProblem } from '../shell/undo.tsx'

/** @param what its name, for the message: `The link` */
export async function copyText(text: string, what: string): Promise<void> {
  await writeClipboard(text).catch(() => {
    throw new Error(`The browser did not copy. ${what}: ${text}`)
  })
  announce(`${what} is copied`)
}

const COPIED_MS = 2000

/** @returns true for a moment after the text was copied, and a function that copies it */
export function useCopying(text: string, message: string): [isCopied: boolean, copy: () => Promise<void>] {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    try {
      await writeClipboard(text)
    } catch {
      return reportProblem('The browser did not copy the text: select it, and copy it by keys.')
    }
    announce(message)
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return [isCopied, copy]
}

async function writeClipboard(text: string): Promise<void> {
  // Without TLS a page has no clipboard.
  if ('clipboard' in navigator) await navigator.clipboard.writeText(text)
  else if (!copySelected(text)) throw new Error('The browser did not copy.')
}

function copySelected(text: string): boolean {
  const element = document.createElement('span')
  element.textContent = text
  Object.assign(element.style, { position: 'fixed', top: '0', opacity: '0', whiteSpace: 'pre', userSelect: 'text' })
  // Elements outside of a modal dialog cannot be selected.
  const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  const selection = getSelection()!
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('copy', put, { capture: true })
  parent.append(element)
  selection.selectAllChildren(element)
  try {
    return document.execCommand('copy')
  } finally {
    window.removeEventListener('copy', put, { capture: true })
    element.remove()
    selection.removeAllRanges()
    if (before) selection.addRange(before)
  }
}
