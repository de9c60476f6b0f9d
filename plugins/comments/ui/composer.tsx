import { useEffect, useRef, useState } from 'react'
import type { Issue } from '../../issues/ui/contract.ts'
import { Button, KeptHere, useCommands } from '../../ui/browser/contract.ts'
import styles from './comments.module.css'
import { pathOf, placeOf } from './data.ts'
import { Write } from './write.tsx'

export function Composer({ issue }: { issue: Issue }) {
  const place = useRef<HTMLDivElement>(null)
  const [isInSight, setInSight] = useState(true)
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => setInSight(entries.at(-1)!.isIntersecting))
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  const draft = placeOf(issue, 'comment', 'Comment on')
  const write = () => place.current?.querySelector<HTMLElement>('textarea, [contenteditable]')?.focus()
  useCommands([{ id: 'comment', title: 'Write a comment', section: 'Issue', keys: ['r'], run: write }])
  return (
    <>
      <KeptHere subject={draft.name} />
      <div className={styles['toField']} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
        {(!isInSight || isFocused) && <Button onClick={write}>Write a comment</Button>}
      </div>
      <div ref={place}>
        <Write label="Comment" path={pathOf(issue)} place={draft} />
      </div>
    </>
  )
}
