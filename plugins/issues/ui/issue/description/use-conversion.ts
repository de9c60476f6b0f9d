import { useMutation } from '@tanstack/react-query'
import { announce, api, ApiProblem, randomKey, type ItemAction } from '../../../../ui/browser/contract.ts'
import { useChange } from '../../changes/use-change.ts'
import type { Issue } from '../../contract.ts'
import { convertItem, namesIssue, placeOfItem, type ConvertedItem } from './convert-item.ts'

/** Maximum attempts to replace an item in a text that others change meanwhile. */
const MAX_ATTEMPTS = 5

/** Converts list items to sub-issues, whose keys replace the items in the description. */
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
      const { key, forget } = await fileOnce({ teamId, parentId: id, title, descriptionMarkdown })
      const isReplaced = await replace(issue, item, key)
      forget()
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

/** Files an issue once, however often it is tried, until `forget` is called. */
async function fileOnce(body: object): Promise<{ key: string; forget(): void }> {
  const name = `tracker.sub-issue.${JSON.stringify(body)}`
  const idempotencyKey = sessionStorage.getItem(name) ?? randomKey()
  sessionStorage.setItem(name, idempotencyKey)
  const { key } = await api<Issue>('/v1/issues', { body, headers: { 'idempotency-key': idempotencyKey } })
  return { key, forget: () => sessionStorage.removeItem(name) }
}
