import { Suspense, useState, type ReactNode } from 'react'
import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import {
  ApiProblem,
  Button,
  Conflict,
  ErrorNote,
  Field,
  Icon,
  lazyElement,
  loadEditor,
  RichTextView,
  Skeleton,
  unseenClass,
  useCommands
} from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'
import { useChange } from '../data.ts'
import { forgetDraft, readDraft, writeDraft, type Draft } from '../create/drafts.ts'
import styles from './issue.module.css'

type Mode = 'read' | 'edit' | 'source'

/** The description of an issue: displayed with boxes that can be ticked, written in an editor or as Markdown. */
export function Description({ issue }: { issue: Issue }) {
  const [mode, setMode] = useState<Mode>(() => readDraft(issue.id)?.mode ?? 'read')
  const tick = useChange(issue)
  // Switching the mode would lose the text being written.
  const write = (how: Mode) => () => setMode(mode === 'read' ? how : mode)
  useCommands([
    { id: 'edit', title: 'Edit the description', section: 'Issue', keys: ['e'], run: write('edit') },
    { id: 'source', title: 'Edit it as Markdown', section: 'Issue', keys: ['m'], run: write('source') }
  ])
  const close = () => setMode('read')
  if (mode === 'edit') return <WithEditor issue={issue} onClose={close} />
  if (mode === 'source') return <WithSource issue={issue} onClose={close} />
  return (
    <section className={styles['description']} aria-label="Description">
      <h2 className={unseenClass}>Description</h2>
      <div className={styles['modes']}>
        {/* The editor is loaded before the click that needs it. */}
        <Button kind="quiet" onFocus={loadEditor} onPointerEnter={loadEditor} onClick={() => setMode('edit')}>
          <Icon name="edit" />
          Edit
        </Button>
        <Button kind="quiet" onClick={() => setMode('source')}>
          <Icon name="code" />
          Markdown
        </Button>
      </div>
      {issue.description === null ? (
        <button type="button" className={styles['none']} onClick={() => setMode('edit')}>
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

/** The text in an editor. It edits the server's document, and sends it as JSON: nothing here parses Markdown. */
function WithEditor({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const [draft] = useState(() => readDraft(issue.id))
  const [doc, setDoc] = useState<NodeJson | undefined>(draft?.doc)
  const rev = draft?.rev ?? issue.rev
  const saving = useSaving(issue, rev, doc && { description: doc }, onClose)
  return (
    <Writing issue={issue} {...saving}>
      <Suspense fallback={<Skeleton />}>
        {lazyElement(loadEditor, {
          doc: draft?.doc ?? issue.description,
          onChange(changed: NodeJson) {
            setDoc(changed)
            writeDraft(issue.id, { mode: 'edit', doc: changed, rev })
          },
          onSave: () => saving.save(),
          onLeave: saving.leave
        })}
      </Suspense>
    </Writing>
  )
}

/** The Markdown itself. */
function WithSource({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const [draft] = useState(() => readDraft(issue.id))
  const [text, setText] = useState(draft?.text ?? issue.descriptionMarkdown)
  const rev = draft?.rev ?? issue.rev
  const isChanged = text !== issue.descriptionMarkdown
  const saving = useSaving(issue, rev, isChanged ? { descriptionMarkdown: text } : undefined, onClose)
  return (
    <Writing issue={issue} {...saving}>
      <Field label="Description, in Markdown">
        {id => (
          <textarea
            id={id}
            className={styles['source']}
            autoFocus
            value={text}
            onChange={({ target: { value } }) => {
              setText(value)
              writeDraft(issue.id, { mode: 'source', text: value, rev })
            }}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) saving.save()
              if (event.key === 'Escape') saving.leave()
            }}
          />
        )}
      </Field>
    </Writing>
  )
}

interface Saving {
  error: unknown
  isBusy: boolean
  /** @param overRev the revision that may be overwritten; default: the one that the draft is based on */
  save(overRev?: number): void
  /** Discards the draft. */
  discard(): void
  /** Closes it if nothing was changed; a changed text only loses the focus. */
  leave(): void
}
/** @param body undefined: nothing was changed */
function useSaving(issue: Issue, rev: Draft['rev'], body: object | undefined, onClose: () => void): Saving {
  // The draft's basis, whatever arrives meanwhile.
  const [ownRev] = useState(rev)
  const { mutate, error, isPending } = useChange(issue)
  function discard(): void {
    forgetDraft(issue.id)
    onClose()
  }
  return {
    error,
    isBusy: isPending,
    save(overRev = ownRev) {
      if (body === undefined) discard()
      else if (!isPending) mutate({ body, rev: overRev }, { onSuccess: discard })
    },
    discard,
    leave() {
      if (body === undefined) discard()
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    }
  }
}

/** Removes the path in the document, which only programs can use. */
function forPeople(error: unknown): unknown {
  const problems = error instanceof ApiProblem ? error.details['problems'] : undefined
  if (!Array.isArray(problems)) return error
  const [{ message }] = problems as [{ message: string }]
  return new Error(`This text cannot be saved. A link, an image or other part of it ${message}. Remove that part.`)
}

/** The draft and its buttons; after another writer has saved, both versions. */
function Writing({ issue, error, isBusy, save, discard, children }: Saving & { issue: Issue; children: ReactNode }) {
  const isConflict = error instanceof ApiProblem && error.status === 412
  return (
    <section className={styles['description']} aria-label="Description">
      {/* Text that is typed while it is being saved would be lost. */}
      <div inert={isBusy}>{children}</div>
      {isConflict ? (
        <Conflict
          what="issue"
          theirs={issue.descriptionMarkdown}
          onKeepMine={() => save(issue.rev)}
          onTakeTheirs={discard}
        />
      ) : (
        error !== null && <ErrorNote error={forPeople(error)} />
      )}
      <div className={styles['buttons']}>
        <Button kind="primary" disabled={isBusy} onClick={() => save()}>
          Save
        </Button>
        <Button onClick={discard}>Discard</Button>
      </div>
    </section>
  )
}
