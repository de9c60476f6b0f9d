import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Issue } from '../../issues/ui/contract.ts'
import { api, Button, ErrorNote, Field, go, Labelled, Select, useCommands } from '../../ui/browser/contract.ts'
import type { Run } from './data.ts'
import styles from './runs.module.css'

export function Delegation({ issue }: { issue: Issue }) {
  const client = useQueryClient()
  const [runner, setRunner] = useState<string>()
  const [budget, setBudget] = useState('')
  const { data: runners = [] } = useQuery({
    queryKey: ['runs', 'runners', issue.id],
    queryFn: ({ signal }) => api<Array<{ name: string }>>(`/v1/agent_runners?issueId=${issue.id}`, { signal })
  })
  const { mutate, error, isPending } = useMutation({
    async mutationFn() {
      if (budget !== '') await api(`/v1/issues/${issue.id}`, { body: { budgetUsd: Number(budget) } })
      return api<Run>('/v1/agent_runs', { body: { issueId: issue.id, ...(runner !== undefined && { runner }) } })
    },
    onSuccess: ({ id }) => go(`/runs/${id}`),
    onSettled: () => client.invalidateQueries()
  })
  useCommands([
    { id: 'delegate', title: 'Delegate to the agent', words: 'run ai bot', section: 'Issue', run: () => mutate() }
  ])
  function submit(event: FormEvent): void {
    event.preventDefault()
    mutate()
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      {runners.length > 1 && (
        <Labelled label="Runner">
          <Select
            label="Runner"
            names={Object.fromEntries(runners.map(({ name }) => [name, name]))}
            value={runner ?? runners[0]!.name}
            onChange={setRunner}
          />
        </Labelled>
      )}
      <details>
        <summary>Budget</summary>
        <Field label="The work on this issue may cost, in dollars">
          {id => (
            <input
              id={id}
              type="number"
              min={0}
              max={1_000_000}
              step="any"
              value={budget}
              onChange={event => setBudget(event.target.value)}
            />
          )}
        </Field>
      </details>
      {error && <ErrorNote error={error} />}
      <Button type="submit" disabled={isPending}>
        Delegate to the agent
      </Button>
    </form>
  )
}
