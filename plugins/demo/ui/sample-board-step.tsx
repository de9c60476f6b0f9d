import { StartStep } from '../../ui/browser/contract.ts'
import { PURPOSE, SampleBoardButtons, useDemo } from './sample-board.tsx'

export default function SampleBoardStep() {
  const demo = useDemo()
  if (!demo || demo.isHere) return null
  return (
    <StartStep title="Explore a sample board" isDone={demo.board !== null}>
      <p>Issues, people and agents at work, in {PURPOSE}</p>
      <SampleBoardButtons demo={demo} kind="plain" />
    </StartStep>
  )
}
