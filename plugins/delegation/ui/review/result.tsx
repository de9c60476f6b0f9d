import { useState } from 'react'
import {
  announce,
  ApiProblem,
  Button,
  Copyable,
  ErrorNote,
  useCommands,
  useRequest
} from '../../../ui/browser/contract.ts'
import { isReviewable, type Run } from '../data.ts'
import styles from '../runs.module.css'
import { TextDialog } from './text-dialog.tsx'

const WORDS = { ACCEPTED: 'Accepted', SENT_BACK: 'Sent back' } as const

export function Result({ run }: { run: Run }) {
  if (run.result === null) return null
  const { branch, url, review, reviewedBy } = run.result
  return (
    <section className={styles['result']} aria-label="Result">
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      )}
      {branch !== null && <Copyable text={branch} label="branch" />}
      {review !== null && (
        <span className={styles['facts']}>
          {WORDS[review]}
          {reviewedBy && ` by ${reviewedBy.fullname}`}
        </span>
      )}
      {isReviewable(run) && <Review run={run} />}
    </section>
  )
}

function Review({ run }: { run: Run }) {
  const [isTextAsked, setTextAsked] = useState(false)
  const { mutate, error, isPending } = useRequest<Run>()
  const accept = (body: object) =>
    mutate({ path: `/v1/agent_runs/${run.id}/accept`, body }, { onSuccess: () => announce('The work is accepted') })
  const sendBack = () => setTextAsked(true)
  useCommands([
    { id: 'run-accept', title: 'Accept the work of the run', section: 'Run', run: () => accept({}) },
    { id: 'run-send-back', title: 'Send the work of the run back', section: 'Run', run: sendBack }
  ])
  const isUnmet = error instanceof ApiProblem && error.code === 'CRITERIA_UNMET'
  return (
    <>
      <div className={styles['buttons']}>
        <Button kind="primary" disabled={isPending} onClick={() => accept({})}>
          Accept
        </Button>
        <Button disabled={isPending} onClick={sendBack}>
          Send back
        </Button>
        {isUnmet && <Button onClick={() => accept({ override: true })}>Accept all the same</Button>}
      </div>
      {error && <ErrorNote error={error} />}
      <TextDialog
        title="Send the work back"
        isOpen={isTextAsked}
        onClose={() => setTextAsked(false)}
        label="What is missing or wrong"
        word="Send back"
        request={text => ({ path: `/v1/agent_runs/${run.id}/send_back`, body: { text } })}
      />
    </>
  )
}
