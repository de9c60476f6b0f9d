import { useState } from 'react'
import { Button, ErrorNote, go, useCommands, useRequest } from '../../../ui/browser/contract.ts'
import type { Run } from '../data.ts'
import { TextDialog } from './text-dialog.tsx'

export function RetryButtons({ run }: { run: Run }) {
  const [isHintAsked, setHintAsked] = useState(false)
  const { mutate, error, isPending } = useRequest<Run>()
  const path = `/v1/agent_runs/${run.id}/retry`
  const askHint = () => setHintAsked(true)
  useCommands([{ id: 'run-hint', title: 'Retry with a hint', section: 'Run', keys: ['h'], run: askHint }])
  return (
    <>
      {error && <ErrorNote error={error} />}
      <Button
        disabled={isPending}
        onClick={() => mutate({ path, body: {} }, { onSuccess: ({ id }) => go(`/runs/${id}`) })}
      >
        Run again
      </Button>
      <Button onClick={askHint}>Retry with a hint</Button>
      <TextDialog
        title={`Retry ${run.issueKey} with a hint`}
        isOpen={isHintAsked}
        onClose={() => setHintAsked(false)}
        label="Hint for the agent"
        word="Retry"
        request={instructions => ({ path, body: { instructions } })}
      />
    </>
  )
}
