import { useLayoutEffect, useRef } from 'react'
import { commands, contributions, pages, type UiCommand } from './registry.ts'
import { go } from './go.ts'

export const isMac = /Mac|iP/.test(navigator.platform)
/** Milliseconds in which the second key of two must come. */
const SEQUENCE_MS = 1000

/** Commands of what is shown now, the innermost last. */
const shown = new Set<{ current: readonly UiCommand[] }>()

/** Commands that exist while a component is shown. */
export function useCommands(list: readonly UiCommand[]): void {
  const latest = useRef(list)
  // In the commit itself, as below: a key that is pressed on what is shown acts on what is shown.
  useLayoutEffect(() => {
    latest.current = list
  })
  useLayoutEffect(() => {
    shown.add(latest)
    return () => {
      shown.delete(latest)
    }
  }, [])
}

const places = (): UiCommand[] =>
  contributions(pages).flatMap(({ path, title, place }) =>
    place
      ? [
          {
            id: `go ${path}`,
            title: `Go to ${title}`,
            section: 'Go',
            keys: [place.keys],
            run: () => go(place.href ?? path)
          }
        ]
      : []
  )

/** Every command that there is now: of the page, of the parts, and the places. */
export const allCommands = (): UiCommand[] => [
  ...[...shown].reverse().flatMap(({ current }) => current),
  ...contributions(commands),
  ...places()
]

/** `mod+k`, `shift+arrowright`, `j`, `?`: what was pressed, as a command writes it. */
function pressed(event: KeyboardEvent): string {
  const isMod = isMac ? event.metaKey : event.ctrlKey
  const isShift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))
  return [isMod && 'mod', event.altKey && 'alt', isShift && 'shift', event.key.toLowerCase()].filter(Boolean).join('+')
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
/** What a field of text knows itself. */
const OF_FIELDS = new Set(['mod+z'])
const isInDialog = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('dialog,[role=dialog],[role=menu],[role=listbox]') !== null

/** Hears the keys of all commands. None without `mod` is heard while somebody writes, or in a dialog. */
export function useKeys(): void {
  useLayoutEffect(() => {
    let before = ''
    let timer = 0
    function hear(event: KeyboardEvent): void {
      const key = pressed(event)
      if (event.defaultPrevented || event.isComposing) return
      const isOfPage = !key.startsWith('mod+') || OF_FIELDS.has(key)
      if (isOfPage && (isWriting(event.target) || isInDialog(event.target))) return
      const known = allCommands()
      const find = (keys: string) => known.find(command => command.keys?.includes(keys))
      const command = (before === '' ? undefined : find(`${before} ${key}`)) ?? find(key)
      clearTimeout(timer)
      before = known.some(({ keys }) => keys?.some(each => each.startsWith(`${key} `))) ? key : ''
      timer = window.setTimeout(() => {
        before = ''
      }, SEQUENCE_MS)
      if (!command) return
      event.preventDefault()
      command.run()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}

/** Says it to those who do not see it. */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (region) region.textContent = text
}
