import { emptyBoardActions } from '../../issues/ui/contract.ts'
import { overlays, startSteps, type Part } from '../../ui/browser/contract.ts'
import { SampleBoardActions, SampleBoardNote } from './sample-board.tsx'

const part: Part = ({ contribute }) => {
  contribute(emptyBoardActions, SampleBoardActions)
  contribute(startSteps, { order: 50, load: () => import('./sample-board-step.tsx') })
  contribute(overlays, SampleBoardNote)
}
export default part
