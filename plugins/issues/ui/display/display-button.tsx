import { Suspense, useRef, useState } from 'react'
import { Button, Icon, lazyElement, useCommands } from '../../../ui/browser/contract.ts'
import type { Layout } from '../contract.ts'
import type { Directory, Team } from '../data.ts'
import type { ShownDisplay } from './display.ts'
import styles from './display.module.css'

export interface DisplayOptionsProps {
  layout: Layout
  shown: ShownDisplay
  directory: Directory
  team: Team | undefined
}
const loadPanel = () => import('./display-panel.tsx')

export function DisplayButton(props: DisplayOptionsProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useCommands([
    {
      ...{ id: 'display', title: 'Display options', words: 'group sort order columns layout', section: 'Issues' },
      keys: ['shift+v'],
      run: open
    }
  ])
  return (
    <span ref={anchor}>
      <Button aria-label="Display" aria-haspopup="dialog" aria-expanded={isOpen} onClick={open}>
        <Icon name="display" />
        <span className={styles['word']}>Display</span>
      </Button>
      {isOpen && <Suspense>{lazyElement(loadPanel, { ...props, anchor, onClose: () => setOpen(false) })}</Suspense>}
    </span>
  )
}
