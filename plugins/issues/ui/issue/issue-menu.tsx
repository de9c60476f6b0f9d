import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  api,
  Button,
  contributions,
  copyText,
  FloatingNote,
  go,
  Menu,
  messageOf,
  offerRestore,
  prefix,
  useCommands,
  useRequest,
  type MenuItem
} from '../../../ui/browser/contract.ts'
import { boardOf } from '../address.ts'
import { copiedFields, type Issue } from '../contract.ts'
import type { Directory } from '../data.ts'
import { cutTitle, MAX_TITLE_LENGTH } from '../list/row.ts'

export function IssueMenu({ issue, directory }: { issue: Issue; directory: Directory }) {
  const [note, setNote] = useState<string>()
  const remove = useRemoval(issue, directory)
  const duplicate = useDuplication(directory)
  const attempt = (action: () => Promise<unknown>) =>
    action().then(
      () => setNote(undefined),
      (error: unknown) => setNote(messageOf(error))
    )
  const copy = (text: string, what: string) => () => attempt(() => copyText(text, what))
  const link = `${location.origin}${prefix}/issue/${issue.key}`
  const items: Array<MenuItem & { words?: string }> = [
    { title: 'Copy link', words: 'share url address', run: copy(link, 'The link') },
    { title: 'Copy branch name', words: 'git', run: copy(branchName(issue), 'The branch name') },
    { title: 'Copy as Markdown', words: 'export', run: copy(markdownOf(issue), 'The Markdown') },
    { title: 'Copy key', run: copy(issue.key, 'The key') },
    { title: 'Duplicate', words: 'clone copy', run: () => attempt(() => duplicate(issue)) },
    ...(directory.teams.length > 1 ? [{ title: 'Move to another team…', run: chooseTeam }] : []),
    { title: 'Remove', words: 'delete trash', isDangerous: true, run: () => attempt(remove) }
  ]
  useCommands(items.map(({ title, words = '', run }) => ({ id: title, title, words, section: 'Issue', run })))
  return (
    <>
      <Menu label={`Actions on ${issue.key}`} items={items} />
      {note !== undefined && (
        <FloatingNote label="Not done" side="right">
          <span role="alert">{note}</span>
          <Button kind="quiet" onClick={() => setNote(undefined)}>
            Close
          </Button>
        </FloatingNote>
      )}
    </>
  )
}

function chooseTeam(): void {
  document.querySelector<HTMLElement>('[role=combobox][aria-label=Team]')?.click()
}

const MAX_BRANCH_LENGTH = 60
/** `eng-12-the-export-loses-dates` */
function branchName({ key, title }: Issue): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  // A cut may leave a hyphen at the end.
  return [key.toLowerCase(), ...words].join('-').slice(0, MAX_BRANCH_LENGTH).replace(/-$/, '')
}

const markdownOf = ({ key, title, descriptionMarkdown }: Issue): string =>
  `# ${key} ${title}\n\n${descriptionMarkdown}`.trimEnd() + '\n'

const COPY = ' (copy)'
/** The criteria of the copy are not met. */
function useDuplication({ members }: Directory): (issue: Issue) => Promise<void> {
  const client = useQueryClient()
  return async issue => {
    const { teamId, title, priority, labelIds, parentId, dueDate, estimate, assigneeId } = issue
    // A chunk of its own: the first load does without the parser.
    const { unticked } = await import('./description/unticked.ts')
    const ofPlugins = await Promise.all(contributions(copiedFields).map(copy => copy(issue, client)))
    const body = {
      ...{ teamId, priority, labelIds, parentId, dueDate, estimate },
      ...(members.some(({ id }) => id === assigneeId) && { assigneeId }),
      ...Object.assign({}, ...ofPlugins),
      title: cutTitle(title, MAX_TITLE_LENGTH - COPY.length) + COPY,
      descriptionMarkdown: unticked(issue.descriptionMarkdown)
    }
    const { key } = await api<Issue>('/v1/issues', { body })
    client.invalidateQueries({ queryKey: ['issues'] })
    go(`/issue/${key}`)
  }
}

function useRemoval({ id, key, teamId }: Issue, directory: Directory): () => Promise<void> {
  const client = useQueryClient()
  const { mutateAsync } = useRequest('issues', 'issue', 'context')
  const path = `/v1/issues/${id}`
  return async () => {
    await mutateAsync({ path, method: 'DELETE' })
    go(boardOf(directory, teamId))
    client.removeQueries({ queryKey: ['issue', key] })
    offerRestore(mutateAsync, path, { title: `${key} is removed`, undone: `${key} is there again` })
  }
}
