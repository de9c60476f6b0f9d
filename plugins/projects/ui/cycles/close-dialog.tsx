import { useState, type FormEvent } from 'react'
import { announce, Button, Dialog, ErrorNote, useRequest } from '../../../ui/browser/contract.ts'
import { useCycles, type Cycle } from '../data.ts'
import styles from './cycle.module.css'
import { CYCLE_QUERIES, nextOf, openText, useOpenIssues, type CarryOver, type ClosedCycle } from './data.ts'

interface CloseCycleProps {
  cycle: Cycle
  isOpen: boolean
  onClose: () => void
}
export const CloseCycle = ({ cycle, isOpen, onClose }: CloseCycleProps) => (
  <Dialog title={`Close ${cycle.name}`} isOpen={isOpen} onClose={onClose}>
    <Form cycle={cycle} onClose={onClose} />
  </Dialog>
)

function Form({ cycle, onClose }: Omit<CloseCycleProps, 'isOpen'>) {
  const { data: cycles = [] } = useCycles()
  const next = nextOf(cycle, cycles)
  const open = useOpenIssues(cycle.id)
  const [carryOver, setCarryOver] = useState<CarryOver>(next ? 'NEXT' : 'BACKLOG')
  const { mutate, error, isPending } = useRequest<ClosedCycle>(...CYCLE_QUERIES)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const onSuccess = () => {
      announce(`${cycle.name} is closed`)
      onClose()
    }
    mutate({ path: `/v1/cycles/${cycle.id}/close`, body: { carryOver } }, { onSuccess })
  }
  const choice = (value: CarryOver, text: string) => (
    <label>
      <input
        type="radio"
        name="carryOver"
        value={value}
        checked={carryOver === value}
        disabled={value === 'NEXT' && !next}
        onChange={() => setCarryOver(value)}
      />
      {text}
    </label>
  )
  return (
    <form className={styles['form']} onSubmit={submit}>
      {open === 0 ? (
        <p>It has no open issues. What it had stays readable here.</p>
      ) : (
        <fieldset>
          <legend>{open === undefined ? 'Its open issues' : `Its ${openText(open)}`}</legend>
          {choice('NEXT', next ? `go into the next cycle, ${next.name}` : 'go into the next cycle: there is none')}
          {choice('BACKLOG', 'leave the cycle')}
        </fieldset>
      )}
      {error && <ErrorNote error={error} />}
      <Button type="submit" kind="primary" disabled={isPending}>
        Close cycle
      </Button>
    </form>
  )
}
