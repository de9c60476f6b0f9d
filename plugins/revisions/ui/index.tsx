import { editedMarks } from '../../comments/ui/contract.ts'
import { descriptionEdits } from '../../issues/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { DescriptionEdits, EditedMark } from './edits-button.tsx'

const part: Part = ({ contribute }) => {
  contribute(descriptionEdits, DescriptionEdits)
  contribute(editedMarks, EditedMark)
  for (const events of ['issue.', 'comment.']) contribute(liveQueries, { events, queries: ['revisions'] })
}
export default part
