import { useMutation } from '@tanstack/react-query'
import {
  api,
  ApiProblem,
  ErrorNote,
  RichTextView,
  StoredText,
  type ItemAction
} from '../../../../ui/browser/contract.ts'
import type { Issue } from '../../contract.ts'
import { useChange } from '../../data.ts'
import { convertItem, namesIssue } from './convert-item.ts'

/** The description of an issue, with boxes that can be ticked. */
export function Description({ issue }: { issue: Issue }) {
  const { id, key, rev, description, descriptionMarkdown } = issue
  const { mutateAsync: change } = useChange(issue)
  const { mutateAsync: tick, error } = useChange(issue)
  const conversion = useConversion(issue)
  return (
    <>
      <StoredText
        label="Description"
        what="issue"
        doc={description}
        markdown={descriptionMarkdown}
        context={rev}
        place={{ name: `description.${id}`, title: `Description of ${key}`, href: `/issue/${key}` }}
        invitation="Add a description, with criteria: “- [ ] …”"
        hasKeys
        send={(text, rev) => change({ body: { descriptionMarkdown: text }, rev })}
        theirs={error =>
          error instanceof ApiProblem && error.status === 412 ? { text: descriptionMarkdown, context: rev } : undefined
        }
      >
        <RichTextView
          doc={description}
          itemAction={conversion.action}
          onTick={(n, met) => tick({ path: '/criteria', body: met ? { met: [n] } : { unmet: [n] } })}
        />
      </StoredText>
      {(error ?? conversion.error) && <ErrorNote error={error ?? conversion.error} />}
    </>
  )
}

/** Makes sub-issues of list items: each stands in the place of its item then. */
function useConversion(issue: Issue) {
  const { id, teamId, description, rev } = issue
  const { mutateAsync: change } = useChange(issue)
  const { mutate, error, isPending } = useMutation({
    async mutationFn(n: number) {
      const item = description && (await convertItem(description, n))
      if (!item) return
      const { title, descriptionMarkdown } = item
      const { key } = await api<Issue>('/v1/issues', { body: { teamId, parentId: id, title, descriptionMarkdown } })
      await change({ body: { descriptionMarkdown: item.withIssue(key) }, rev })
    }
  })
  const action: ItemAction = {
    icon: 'parent',
    label: text => `Make a sub-issue of “${text}”`,
    isFor: text => !namesIssue(text),
    run: n => !isPending && mutate(n)
  }
  return { action, error }
}
