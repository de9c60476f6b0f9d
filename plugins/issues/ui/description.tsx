import { useState } from 'react'
import { ApiProblem, Button, ErrorNote, Field, Icon, RichTextView, useCommands } from '../../ui/browser/contract.ts'
import type { Issue } from './contract.ts'
import { useChange } from './data.ts'
import { forgetDraft, readDraft, writeDraft } from './drafts.ts'
import styles from './issue.module.css'

/** What an issue says: read with boxes that can be ticked, and written as Markdown. */
export function Description({ issue }: { issue: Issue }) {
  const [isEditing, setEditing] = useState(() => readDraft(issue.id) !== undefined)
  const tick = useChange(issue)
  useCommands([
    { id: 'edit', title: 'Edit the description', section: 'Issue', keys: ['e'], run: () => setEditing(true) }
  ])
  if (isEditing) return <Source issue={issue} onClose={() => setEditing(false)} />
  return (
    <section className={styles['description']} aria-label="Description">
      <h2 className={styles['unseen']}>Description</h2>
      <div className={styles['modes']}>
        <Button kind="quiet" onClick={() => setEditing(true)}>
          <Icon name="code" />
          Edit
        </Button>
      </div>
      {issue.description === null ? (
        <button type="button" className={styles['none']} onClick={() => setEditing(true)}>
          Add a description, with criteria: “- [ ] …”
        </button>
      ) : (
        <RichTextView
          doc={issue.description}
          onTick={(n, met) => tick.mutateAsync({ path: '/criteria', body: met ? { met: [n] } : { unmet: [n] } })}
        />
      )}
      {tick.error && <ErrorNote error={tick.error} />}
    </section>
  )
}

/** The Markdown itself: what is not touched keeps its bytes. A draft is kept in this browser until it is saved. */
function Source({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const [draft] = useState(() => readDraft(issue.id))
  const [text, setText] = useState(draft?.text ?? issue.descriptionMarkdown)
  /** The revision that was there when the writing began. */
  const [rev, setRev] = useState(draft?.rev ?? issue.rev)
  const save = useChange(issue)
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412

  function write(value: string): void {
    setText(value)
    writeDraft(issue.id, { text: value, rev })
  }
  function close(): void {
    forgetDraft(issue.id)
    onClose()
  }
  function saveOver(ifRev: number): void {
    if (text === issue.descriptionMarkdown) return close()
    save.mutate({ body: { descriptionMarkdown: text }, rev: ifRev }, { onSuccess: close })
  }
  return (
    <section className={styles['description']} aria-label="Description">
      <Field label="Description, in Markdown">
        {id => (
          <textarea
            id={id}
            className={styles['source']}
            autoFocus
            value={text}
            onChange={event => write(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) saveOver(rev)
              if (event.key === 'Escape') close()
            }}
          />
        )}
      </Field>
      {isConflict ? (
        <div className={styles['conflict']} role="alert">
          <p>Somebody has changed this issue since you began. This is what it says now:</p>
          <pre tabIndex={0}>{issue.descriptionMarkdown}</pre>
          <div className={styles['buttons']}>
            <Button
              onClick={() => {
                setRev(issue.rev)
                saveOver(issue.rev)
              }}
            >
              Keep mine
            </Button>
            <Button onClick={close}>Take theirs</Button>
          </div>
        </div>
      ) : (
        save.error && <ErrorNote error={save.error} />
      )}
      <div className={styles['buttons']}>
        <Button kind="primary" disabled={save.isPending} onClick={() => saveOver(rev)}>
          Save
        </Button>
        <Button onClick={close}>Discard</Button>
      </div>
    </section>
  )
}
