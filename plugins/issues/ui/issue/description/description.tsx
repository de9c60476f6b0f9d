import { ApiProblem, ErrorNote, RichTextView, StoredText } from '../../../../ui/browser/contract.ts'
import { useChange } from '../../changes/use-change.ts'
import type { Issue } from '../../contract.ts'
import { useConversion } from './use-conversion.ts'

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
