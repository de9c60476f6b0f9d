import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, go, offerUndo, type Writing } from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'
import { onceFor } from './once.ts'

/** A repeated answer above 64 KiB has only ids. */
type Created = Pick<Issue, 'id'> & Partial<Pick<Issue, 'key'>>

/**
 * Creates an issue. What is typed until then would be lost, so that the form cannot be changed.
 * @param isStaying false: its page is opened
 */
export function useCreate<C>(writing: Writing<C>, isStaying: boolean, onCreated: () => void) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['issues'] })
  return useMutation({
    async mutationFn(body: object) {
      const once = onceFor(body)
      const created = await api<Created>('/v1/issues', { body, headers: once.headers })
      once.end()
      return created
    },
    onMutate: () => writing.setSaving(true),
    onError: () => writing.setSaving(false),
    onSuccess({ id, key = id }) {
      onCreated()
      if (!isStaying) return go(`/issue/${key}`)
      const undo = () => api(`/v1/issues/${id}`, { method: 'DELETE' }).finally(refresh)
      offerUndo({ title: `${key} is created`, undone: `${key} is removed`, undo })
    },
    onSettled: refresh
  })
}
