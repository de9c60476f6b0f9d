import { useQueryClient } from '@tanstack/react-query'
import { ConfirmButton, ErrorNote, go, offerUndo, useRequest } from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'
import type { Directory } from '../data.ts'

/** Removes the issue of this page, leaves the page, and offers to restore it. */
export function Removal({ issue, directory }: { issue: Issue; directory: Directory }) {
  const client = useQueryClient()
  const { mutate, mutateAsync, error } = useRequest('issues', 'issue', 'context')
  const team = directory.teams.find(({ id }) => id === issue.teamId)
  const path = `/v1/issues/${issue.id}`
  const restore = () => mutateAsync({ path: `${path}/restore`, method: 'POST' })
  const remove = () =>
    mutate(
      { path, method: 'DELETE' },
      {
        onSuccess() {
          go(team ? `/board?team=${team.identifier}` : '/board')
          client.removeQueries({ queryKey: ['issue', issue.key] })
          const { key } = issue
          offerUndo({ title: `${key} is removed`, undone: `${key} is there again`, word: 'Restore', undo: restore })
        }
      }
    )
  return (
    <div>
      <ConfirmButton
        label={`Remove ${issue.key}`}
        word="Remove"
        warning="Its sub-issues are kept, as issues of their own."
        onConfirm={remove}
      />
      {error && <ErrorNote error={error} />}
    </div>
  )
}
