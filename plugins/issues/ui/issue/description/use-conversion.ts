import { useMutation } from '@tanstack/react-query'
import { announce, api, ApiProblem, type ItemAction } from '../../../../ui/browser/contract.ts'
import { useChange } from '../../changes/use-change.ts'
import type { Issue } from '../../contract.ts'
import { onceFor } from '../../create/once.ts'
import { convertItem, namesIssue, placeOfItem, type ConvertedItem } from './convert-item.ts'

/** Maximum attempts to replace an item in a text that others change meanwhile. */
const MAX_ATTEMPTS = 5

export function useConversion(issue: Issue) {
  const { id, teamId } = issue
  const { mutateAsync: change } = useChange(issue)
  /** Replaces an item by a key in the present text. @returns false: the item is no longer in it */
  async function replace(of: Issue, item: ConvertedItem, key: string, attempts = MAX_ATTEMPTS): Promise<boolean> {
    try {
      await change({ body: { descriptionMarkdown: item.withIssue(key) }, of })
      return true
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 412 || attempts === 1) throw error
      const now = await api<Issue>(`/v1/issues/${id}`)
      const again = now.description && (await convertItem(now.description, placeOfItem(now.description, item)))
      return again ? replace(now, again, key, attempts - 1) : false
    }
  }
  const { mutate, error, isPending } = useMutation({
    async mutationFn(n: number) {
      const item = issue.description && (await convertItem(issue.description, n))
      if (!item) return
      const { title, descriptionMarkdown } = item
      const body = { teamId, parentId: id, title, descriptionMarkdown }
      const once = onceFor(body)
      const { key } = await api<Issue>('/v1/issues', { body, headers: once.headers })
      const isReplaced = await replace(issue, item, key)
      once.end()
      if (isReplaced) return
      throw new Error(`${key} is created, but somebody has changed the item meanwhile: its text stays.`)
    }
  })
  const action: ItemAction = {
    icon: 'parent',
    label: text => `Make a sub-issue of “${text}”`,
    isFor: text => !namesIssue(text),
    run: n => (isPending ? announce('Another item is becoming a sub-issue: try again in a moment.') : mutate(n))
  }
  return { action, error }
}
