import { useQueryClient } from '@tanstack/react-query'
import { ConfirmButton, ErrorNote, go, useRequest } from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'
import type { Directory } from '../data.ts'

/** Removes the issue of this page, and leaves the page. */
export function Removal({ issue, directory }: { issue: Issue; directory: Directory }) {
  const client = useQueryClient()
  const { mutate, error } = useRequest('issues', 'context')
  const team = directory.teams.find(({ id }) => id === issue.teamId)
  const remove = () =>
    mutate(
      { path: `/v1/issues/${issue.id}`, method: 'DELETE' },
      {
        onSuccess() {
          go(team ? `/board?team=${team.identifier}` : '/board')
          client.removeQueries({ queryKey: ['issue', issue.key] })
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
