import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, ErrorNote, fold, useCommands } from '../../../ui/browser/contract.ts'
import type { Output, Run, Step } from '../data.ts'
import { useFollowed } from './follow.ts'
import styles from '../runs.module.css'
import { isOfAgent, StepList } from './steps.tsx'

/** The steps of a run if its client reports any, with the output one click away; else the output. */
export function ProgressOf({ run }: { run: Run }) {
  const { events: steps, error, isPending } = useFollowed<Step>(run, 'steps')
  const [isOutputShown, setOutputShown] = useState(false)
  const hasSteps = steps.some(isOfAgent)
  const toggle = () => setOutputShown(isShown => !isShown)
  useCommands([
    {
      id: 'run-output',
      title: isOutputShown ? 'Show the steps of the run' : 'Show the output of the run',
      section: 'Run',
      keys: ['o'],
      isAvailable: () => hasSteps,
      run: toggle
    }
  ])
  if (isPending) return null
  if (!hasSteps) return <OutputOf run={run} />
  if (isOutputShown) return <OutputOf run={run} action={<Button onClick={toggle}>Show the steps</Button>} />
  return (
    <section aria-label="Steps" className={styles['output']}>
      <header>
        <h2>Steps</h2>
        <Button onClick={toggle}>Show the output</Button>
      </header>
      {error && <ErrorNote error={error} />}
      <StepList steps={steps} />
    </section>
  )
}

/** It follows new lines while it is scrolled to the end. */
function OutputOf({ run, action }: { run: Run; action?: ReactNode }) {
  const [text, setText] = useState('')
  const end = useRef<HTMLPreElement>(null)
  const { events: output, error } = useFollowed<Output>(run, 'events')
  useEffect(() => {
    const pre = end.current
    if (pre && pre.scrollHeight - pre.scrollTop - pre.clientHeight < 200) pre.scrollTop = pre.scrollHeight
  }, [output])
  const searchText = fold(text)
  const shown = searchText === '' ? output : output.filter(piece => fold(piece.text).includes(searchText))
  return (
    <section aria-label="Output" className={styles['output']}>
      <header>
        <h2>Output</h2>
        {action}
        <input
          type="search"
          aria-label="Search the output"
          placeholder="Search…"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </header>
      {error && <ErrorNote error={error} />}
      <pre ref={end} tabIndex={0}>
        {shown.map(({ seq, type, text }) => (
          <span key={seq} data-type={type}>
            {text.endsWith('\n') ? text : `${text}\n`}
          </span>
        ))}
        {shown.length === 0 && 'No output yet.'}
      </pre>
    </section>
  )
}
