import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { offerUndo } from '../../../ui/browser/contract.ts'
import { changedRow, type Issue } from '../list/row.ts'
import { inverseOf } from './inverse.ts'
import { keptAbout, sendChange } from './send.ts'

interface Change {
  body: object
  path?: string
  /** The issue as it was read for this change. */
  of?: Issue
  rev?: number
}
const keyOf = ({ id }: Issue) => ['change of an issue', id]

/** The issue, with the changes of its fields that the server has not answered yet. */
export function useChanged(issue: Issue): Issue {
  const pending = useMutationState({
    filters: { mutationKey: keyOf(issue), status: 'pending' },
    select: ({ state }) => state.variables as Change
  })
  return pending.reduce((changed, { body, path }) => (path === undefined ? changedRow(changed, body) : changed), issue)
}

/**
 * Changes an issue, and refetches; a change of its fields can be undone. Each change sends its revision, so that the
 * server prevents lost updates.
 */
export function useChange(issue: Issue) {
  const { id, key } = issue
  const client = useQueryClient()
  const refresh = () =>
    Promise.all(
      [['issue', key], ['context', key], ['issues'], ['timeline', id]].map(queryKey =>
        client.invalidateQueries({ queryKey })
      )
    )
  /** @returns undefined: there is no connection, and it is kept */
  const send = (change: object, rev: number) =>
    sendChange<Issue>(`/v1/issues/${id}`, { ...change, rev }, keptAbout(issue, change))
  return useMutation({
    mutationKey: keyOf(issue),
    mutationFn: ({ body, path = '', of = issue, rev = of.rev }: Change) =>
      path === '' ? send(body, rev) : sendChange<Issue>(`/v1/issues/${id}${path}`, body),
    onSuccess(changed, { body, path = '', of = issue }) {
      const inverse = path === '' ? inverseOf(of, body) : undefined
      if (!inverse) return
      const undo = () => send(inverse, changed?.rev ?? of.rev).finally(refresh)
      offerUndo({ title: `${key} is changed`, undone: `${key} is as before`, undo })
    },
    // A change that is kept until there is a connection is displayed already.
    onSettled: (changed, error) => (changed === undefined && error === null ? undefined : refresh())
  })
}
