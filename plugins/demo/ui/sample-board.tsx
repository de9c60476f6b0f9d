import { useMutation, useQuery } from '@tanstack/react-query'
import { api, Button, ConfirmButton, ErrorNote, FloatingNote, prefix, useSession } from '../../ui/browser/contract.ts'
import styles from './sample-board.module.css'

interface Demo {
  board: { name: string } | null
  isHere: boolean
}

/** Undefined for those who are not administrators. */
export function useDemo(): Demo | undefined {
  const isAdmin = useSession()?.account?.role === 'ADMIN'
  return useQuery({
    queryKey: ['demo'],
    queryFn: ({ signal }) => api<Demo>('/v1/demo', { signal }),
    staleTime: Infinity,
    enabled: isAdmin
  }).data
}

/** Everything is reloaded: they change or end the session. */
const useDemoChange = (request: () => Promise<unknown>) =>
  useMutation({ mutationFn: request, onSuccess: () => location.assign(`${prefix}/`) })
const useRemoval = () => useDemoChange(() => api('/v1/demo', { method: 'DELETE' }))

export const PURPOSE = 'a separate workspace that you can remove.'

export function SampleBoardActions() {
  const demo = useDemo()
  if (!demo) return null
  return (
    <>
      <p>Or explore a sample board first: {PURPOSE}</p>
      <div className={styles['centered']}>
        <SampleBoardButtons demo={demo} kind="primary" />
      </div>
    </>
  )
}

export function SampleBoardButtons({ demo, kind }: { demo: Demo; kind: 'primary' | 'plain' }) {
  const open = useDemoChange(() => api('/v1/demo', { body: {} }))
  const remove = useRemoval()
  const error = open.error ?? remove.error
  return (
    <div className={styles['actions']}>
      <Button kind={kind} disabled={open.isPending} onClick={() => open.mutate()}>
        {open.isPending ? 'Creating the sample board…' : 'Open a sample board'}
      </Button>
      {demo.board && <RemoveButton onConfirm={() => remove.mutate()} />}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

export function SampleBoardNote() {
  const demo = useDemo()
  const leave = useDemoChange(() => api('/v1/demo/leave', { body: {} }))
  const remove = useRemoval()
  const error = leave.error ?? remove.error
  if (!demo?.isHere) return null
  return (
    <FloatingNote label="Sample board" side="left">
      <p>This is a sample board. Leave it to go back to your own.</p>
      <Button onClick={() => leave.mutate()}>Leave</Button>
      <RemoveButton onConfirm={() => remove.mutate()} />
      {error && <ErrorNote error={error} />}
    </FloatingNote>
  )
}

const RemoveButton = ({ onConfirm }: { onConfirm: () => void }) => (
  <ConfirmButton
    label="Remove the sample board"
    word="Remove it"
    warning="All its data will be deleted."
    onConfirm={onConfirm}
  />
)
