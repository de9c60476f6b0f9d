import { createElement, useEffect, useState, type ComponentType, type ReactElement } from 'react'
import type { EditorProps } from './prose/editor.tsx'

let editor: ComponentType<EditorProps> | undefined

/** Reading needs none of its libraries. @returns false: it cannot be loaded now */
export async function loadEditor(): Promise<boolean> {
  try {
    editor = (await import('./prose/editor.tsx')).default
    return true
  } catch {
    return false
  }
}

export function useEditor(isNeeded: boolean): 'loaded' | 'loading' | 'failed' {
  const [state, setState] = useState<'loaded' | 'loading' | 'failed'>(editor ? 'loaded' : 'loading')
  useEffect(() => {
    if (isNeeded && state !== 'loaded') loadEditor().then(isLoaded => setState(isLoaded ? 'loaded' : 'failed'))
  }, [isNeeded, state])
  return state
}
/** Only when it is loaded. */
export const editorElement = (key: number, props: EditorProps): ReactElement =>
  createElement(editor!, { key, ...props })
