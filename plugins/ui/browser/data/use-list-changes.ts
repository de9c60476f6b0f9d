import { useMutation, useQueryClient, type QueryFunction } from '@tanstack/react-query'
import { useState } from 'react'
import { offerUndo } from '../shell/undo.tsx'

interface ListOptions<T> {
  query: { queryKey: string[]; queryFn: QueryFunction<T[], string[]> }
  others?: readonly string[]
  /** @param before the list that was displayed until then */
  send(next: readonly T[], before: readonly T[]): Promise<unknown>
  onError?: (error: Error) => void
}
type Edit<T> = (now: readonly T[]) => T[]
interface Names {
  title: string
  undone: string
}

/** The changed list is shown at once, and sent in sequence; after the last change it is read again. */
export function useListChanges<T>({ query, others = [], send, onError }: ListOptions<T>) {
  const client = useQueryClient()
  const { queryKey } = query
  const [error, setError] = useState<Error | null>(null)
  const { mutateAsync } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join(' ') },
    mutationFn: ({ next, before }: { next: readonly T[]; before: readonly T[] }) => send(next, before),
    onMutate({ next }) {
      setError(null)
      client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, next)
    },
    onError(error) {
      setError(error)
      onError?.(error)
    },
    async onSettled() {
      if (client.isMutating({ mutationKey: queryKey }) > 1) return
      await Promise.all([queryKey, ...others.map(key => [key])].map(key => client.invalidateQueries({ queryKey: key })))
    }
  })
  async function edit(by: Edit<T>) {
    const before = await client.ensureQueryData(query)
    return mutateAsync({ before, next: by(before) })
  }
  /** @param back undoes the edit, in the list of that moment: it may follow before the server has answered */
  function change(by: Edit<T>, back: Edit<T>, { title, undone }: Names): void {
    edit(by).catch(() => undefined)
    offerUndo({ title, undone, undo: () => edit(back) })
  }
  return { change, error }
}
