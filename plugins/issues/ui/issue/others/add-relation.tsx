import { useState, type FormEvent } from 'react'
import {
  announce,
  Button,
  Choice,
  ErrorNote,
  messageOf,
  PickerButton,
  useCommands,
  type WriteRequest
} from '../../../../ui/browser/contract.ts'
import type { Issue } from '../../contract.ts'
import { useIssueRequest } from '../../changes/send.ts'
import { IssuePicker } from '../../pickers/issue-picker.tsx'
import { RELATION_NAMES } from '../timeline/words.ts'
import styles from './others.module.css'

const PARENT = 'PARENT'
const CHILD = 'CHILD'

const TYPES = [
  ...Object.entries(RELATION_NAMES).map(([id, title]) => ({ id, title })),
  { id: PARENT, title: 'is part of' },
  { id: CHILD, title: 'has the part' }
]

function requestFor(issue: Issue, type: string, other: string): WriteRequest {
  if (type === PARENT) return { path: `/v1/issues/${issue.id}`, body: { parentId: other, rev: issue.rev } }
  if (type === CHILD) return { path: `/v1/issues/${encodeURIComponent(other)}`, body: { parentId: issue.id } }
  return { path: '/v1/issue_relations', body: { issueId: issue.id, relatedIssueId: other, type } }
}

export function RelationCommands({ issue }: { issue: Issue }) {
  const { mutate } = useIssueRequest()
  const [type, setType] = useState<(typeof TYPES)[number]>()
  useCommands(
    TYPES.map(each => ({
      ...{ id: `relate ${each.id}`, title: `This issue ${each.title}…`, section: 'Issue' },
      run: () => setType(each)
    }))
  )
  if (!type) return null
  return (
    <IssuePicker
      label={`This issue ${type.title}`}
      anchor={null}
      without={[issue.id]}
      chosen={undefined}
      onClose={() => setType(undefined)}
      onChoose={other =>
        other !== null && mutate(requestFor(issue, type.id, other), { onError: error => announce(messageOf(error)) })
      }
    />
  )
}

export function AddRelation({ issue }: { issue: Issue }) {
  const { mutate, error } = useIssueRequest()
  const [type, setType] = useState('RELATED')
  return (
    <>
      <div className={styles['add']}>
        <Choice label="This issue" options={TYPES} chosen={type} onChoose={setType} />
        <PickerButton
          label="Another issue"
          className={styles['other']}
          picker={open => (
            <IssuePicker
              {...open}
              label="Another issue"
              without={[issue.id]}
              chosen={undefined}
              onChoose={other => other !== null && mutate(requestFor(issue, type, other))}
            />
          )}
        >
          Choose an issue…
        </PickerButton>
      </div>
      {error && <ErrorNote error={error} />}
      <AddLink issue={issue} />
    </>
  )
}

function AddLink({ issue }: { issue: Issue }) {
  const { mutate, error, isPending } = useIssueRequest()
  const [text, setText] = useState('')
  const url = text.trim().split(' ')[0]!
  function submit(event: FormEvent): void {
    event.preventDefault()
    const body = { url, title: text.trim().slice(url.length + 1) || url }
    // The next may have been begun meanwhile.
    const clear = () => setText(now => (now === text ? '' : now))
    mutate({ path: `/v1/issues/${issue.id}/links`, body }, { onSuccess: clear })
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        aria-label="Address, and its title"
        placeholder="https://… and a title"
        autoComplete="off"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <Button type="submit" disabled={isPending || url === ''}>
        Add link
      </Button>
      {error && <ErrorNote error={error} />}
    </form>
  )
}
