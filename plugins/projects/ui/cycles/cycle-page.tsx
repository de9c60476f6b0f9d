import { Suspense, useState } from 'react'
import { loadIssueLines } from '../../../issues/ui/contract.ts'
import { useDirectory } from '../../../workspace/ui/contract.ts'
import {
  Button,
  contributions,
  Dialog,
  ErrorNote,
  go,
  lazyElement,
  Menu,
  NameField,
  PageFrame,
  SubHeading,
  Skeleton,
  subjectActions,
  useCommands,
  useRequest
} from '../../../ui/browser/contract.ts'
import { useCycles, type Cycle } from '../data.ts'
import { BurnUp } from './burn-up.tsx'
import { CloseCycle } from './close-dialog.tsx'
import { CycleForm } from './cycle-form.tsx'
import styles from './cycle.module.css'
import {
  CYCLE_QUERIES,
  openText,
  phaseOf,
  useCycleProgress,
  useOpenIssues,
  type CycleProgress,
  type Unit
} from './data.ts'
import { Facts, Figures } from './facts.tsx'
import { LaterMoves } from './moves.tsx'

export default function CyclePage({ params }: { params: Record<string, string> }) {
  const { data: cycles, error } = useCycles()
  const cycle = cycles?.find(({ id }) => id === params['id'])
  if (cycle) return <Loaded key={cycle.id} cycle={cycle} />
  const missing = cycles && new Error('There is no such cycle. It may have been deleted.')
  return <PageFrame title="Cycle">{error || missing ? <ErrorNote error={error ?? missing} /> : <Skeleton />}</PageFrame>
}

type OpenDialog = 'edit' | 'close' | 'delete'

function Loaded({ cycle }: { cycle: Cycle }) {
  const { id, name, teamId, closedAt } = cycle
  const team = useDirectory()?.teams.find(team => team.id === teamId)
  const listHref = team ? `/cycles?team=${team.identifier}` : '/cycles'
  const [dialog, setDialog] = useState<OpenDialog>()
  const shut = () => setDialog(undefined)
  const mayClose = closedAt === undefined && phaseOf(cycle) !== 'upcoming'
  const items = [
    ...(mayClose ? [{ id: 'close' as const, title: 'Close cycle' }] : []),
    { id: 'edit' as const, title: 'Edit cycle' },
    { id: 'delete' as const, title: 'Delete cycle', isDangerous: true }
  ].map(item => ({ ...item, run: () => setDialog(item.id) }))
  useCommands(items.map(({ id, title, run }) => ({ id: `cycle-${id}`, title, section: 'Cycle', run })))
  return (
    <PageFrame
      title={name}
      heading={<SubHeading of={{ href: listHref, title: 'Cycles' }}>{name}</SubHeading>}
      actions={
        <>
          {contributions(subjectActions).map((Action, n) => (
            <Action key={n} subject={{ type: 'cycle', id, name }} />
          ))}
          <Menu label={`Actions on ${name}`} items={items} />
        </>
      }
    >
      <Content cycle={cycle} onCloseCycle={() => setDialog('close')} />
      <CycleForm team={{ id: teamId }} cycle={cycle} isOpen={dialog === 'edit'} onClose={shut} />
      <CloseCycle cycle={cycle} isOpen={dialog === 'close'} onClose={shut} />
      <DeleteCycle cycle={cycle} listHref={listHref} isOpen={dialog === 'delete'} onClose={shut} />
    </PageFrame>
  )
}

function Content({ cycle, onCloseCycle }: { cycle: Cycle; onCloseCycle: () => void }) {
  const { id, name } = cycle
  const { mutateAsync } = useRequest(...CYCLE_QUERIES)
  const { data: progress, error } = useCycleProgress(id)
  const [unit, setUnit] = useState<Unit>('issues')
  return (
    <div className={styles['page']}>
      <div className={styles['main']}>
        <div className={styles['name']}>
          <NameField
            label="Name of the cycle"
            name={name}
            onRename={(name, previous) =>
              mutateAsync({ path: `/v1/cycles/${id}`, body: { name, previous: { name: previous } } })
            }
          />
        </div>
        <Ended cycle={cycle} onCloseCycle={onCloseCycle} />
        {error && <ErrorNote error={error} />}
        {!progress && !error && <Skeleton lines={6} />}
        {progress && <Progress cycle={cycle} progress={progress} unit={unit} onChoose={setUnit} />}
        <section className={styles['section']} aria-labelledby="issues">
          <h2 id="issues">Issues</h2>
          <Suspense fallback={<Skeleton />}>
            {lazyElement(loadIssueLines, {
              label: 'Issues of the cycle',
              filters: { cycle: { filterType: 'IS', value: [id] } },
              orderBy: 'urgency' as const
            })}
          </Suspense>
        </section>
      </div>
      <Facts cycle={cycle} progress={progress} unit={unit} />
    </div>
  )
}

interface ProgressProps {
  cycle: Cycle
  progress: CycleProgress
  unit: Unit
  onChoose: (unit: Unit) => void
}
const Progress = ({ cycle, progress, unit, onChoose }: ProgressProps) => (
  <section className={styles['section']} aria-label="Progress">
    <Figures cycle={cycle} progress={progress} unit={unit} onChoose={onChoose} />
    {progress.days.length === 0 ? (
      <p className={styles['none']}>It has not begun: what is in it by then is its first scope.</p>
    ) : (
      <BurnUp cycle={cycle} days={progress.days} unit={unit} />
    )}
    <LaterMoves title="Added after its start" moves={progress.added} />
    <LaterMoves title="Removed after its start" moves={progress.removed} />
  </section>
)

function Ended({ cycle, onCloseCycle }: { cycle: Cycle; onCloseCycle: () => void }) {
  const open = useOpenIssues(cycle.id) ?? 0
  if (phaseOf(cycle) !== 'past' || cycle.closedAt !== undefined || open === 0) return null
  return (
    <div className={styles['ended']} role="note">
      <p>This cycle has ended with {openText(open)}.</p>
      <Button onClick={onCloseCycle}>Close it…</Button>
    </div>
  )
}

interface DeleteCycleProps {
  cycle: Cycle
  listHref: string
  isOpen: boolean
  onClose: () => void
}
function DeleteCycle({ cycle: { id, name }, listHref, isOpen, onClose }: DeleteCycleProps) {
  const { mutate, error, isPending } = useRequest(...CYCLE_QUERIES)
  const remove = () => mutate({ path: `/v1/cycles/${id}`, method: 'DELETE' }, { onSuccess: () => go(listHref) })
  return (
    <Dialog title={`Delete ${name}?`} isOpen={isOpen} onClose={onClose}>
      <div className={styles['form']}>
        <p>Its issues stay, and are in no cycle then. It cannot be restored.</p>
        {error && <ErrorNote error={error} />}
        <div className={styles['days']}>
          <Button kind="danger" disabled={isPending} onClick={remove}>
            Delete cycle
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
