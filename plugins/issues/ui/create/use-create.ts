import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, go, offerUndo, randomKey, type Writing } from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'

/** @returns the header with which a repeated request, whose answer was lost, creates no second issue */
export function useOnce() {
  const last = useRef<{ text: string; key: string }>(undefined)
  return {
    headersFor(body: object) {
      const text = JSON.stringify(body)
      if (last.current?.text !== text) last.current = { text, key: randomKey() }
      return { 'idempotency-key': last.current.key }
    },
    /** The same body is another issue from now on. */
    end() {
      last.current = undefined
    }
  }
}

/** A repeated answer above 64 KiB has only ids. */
type Created = Pick<Issue, 'id'> & Partial<Pick<Issue, 'key'>>

/**
 * Creates an issue. What is typed until then would be lost, so that the form cannot be changed.
 * @param isStaying false: its page is opened
 */
export function useCreate<C>(writing: Writing<C>, isStaying: boolean, onCreated: () => void) {
  const client = useQueryClient()
  const once = useOnce()
  const refresh = () => client.invalidateQueries({ queryKey: ['issues'] })
  return useMutation({
    mutationFn: (body: object) => api<Created>('/v1/issues', { body, headers: once.headersFor(body) }),
    onMutate: () => writing.setSaving(true),
    onError: () => writing.setSaving(false),
    onSuccess({ id, key = id }) {
      once.end()
      onCreated()
      if (!isStaying) return go(`/issue/${key}`)
      const undo = () => api(`/v1/issues/${id}`, { method: 'DELETE' }).finally(refresh)
      offerUndo({ title: `${key} is created`, undone: `${key} is removed`, undo })
    },
    onSettled: refresh
  })
}
