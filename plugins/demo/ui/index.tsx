import { emptyBoardActions } from '../../issues/ui/contract.ts'
import { overlays, type Part } from '../../ui/browser/contract.ts'
import { SampleBoardActions, SampleBoardNote } from './sample-board.tsx'

const part: Part = ({ contribute }) => {
  contribute(emptyBoardActions, SampleBoardActions)
  contribute(overlays, SampleBoardNote)
}
export default part
