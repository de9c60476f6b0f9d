import { Suspense, useState } from 'react'
import type { EditedComment } from '../../comments/ui/contract.ts'
import type { ActivityEntry, Issue } from '../../issues/ui/contract.ts'
import { Button, Dialog, lazyElement, Skeleton } from '../../ui/browser/contract.ts'
import styles from './edits-button.module.css'

const loadEdits = () => import('./edits.tsx')

interface EditsButtonProps {
  word: string
  isSmall?: boolean
  /** For screen readers. */
  label?: string
  title: string
  /** The path of the text's resource. */
  path: string
  /** Only the edits of this entry. */
  entry?: ActivityEntry
}
function EditsButton({ word, isSmall, label = word, title, path, entry }: EditsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="quiet"
        {...(isSmall && { className: styles['small']! })}
        aria-haspopup="dialog"
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {word}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Suspense fallback={<Skeleton />}>{lazyElement(loadEdits, { path, ...(entry && { entry }) })}</Suspense>
      </Dialog>
    </>
  )
}

export const DescriptionEdits = ({ issue, entry }: { issue: Issue; entry: ActivityEntry }) => (
  <EditsButton
    word="Show the difference"
    title={`Edits of the description of ${issue.key}`}
    path={`/v1/issues/${issue.id}`}
    entry={entry}
  />
)

export const EditedMark = ({ comment: { id, author } }: { comment: EditedComment }) => (
  <EditsButton
    word="edited"
    isSmall
    label={`Comment of ${author.fullname}, edited: show the edits`}
    title={`Edits of the comment of ${author.fullname}`}
    path={`/v1/issue_comments/${id}`}
  />
)
