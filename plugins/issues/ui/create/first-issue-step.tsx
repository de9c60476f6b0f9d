import { useQuery } from '@tanstack/react-query'
import { Button, Kbd, StartStep } from '../../../ui/browser/contract.ts'
import { emptyCheck } from '../data.ts'
import { openCreate } from './open.ts'

export default function FirstIssueStep() {
  const { data: isEmpty } = useQuery(emptyCheck)
  return (
    <StartStep title="Write your first issue" isDone={isEmpty === false}>
      <p>
        What should be done? A title is enough. On every page: <Kbd keys="c" />
      </p>
      <Button kind="primary" onClick={() => openCreate()}>
        New issue
      </Button>
    </StartStep>
  )
}
