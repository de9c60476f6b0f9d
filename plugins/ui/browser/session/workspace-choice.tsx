import { Button } from '../parts/controls.tsx'
import styles from './sign-in.module.css'

const HASH = '#choose-workspace'

/** True on the way back from an identity provider that fits several workspaces. */
export const isWorkspaceAsked = (): boolean => location.hash === HASH

export function endWorkspaceChoice(): void {
  if (isWorkspaceAsked()) history.replaceState(null, '', location.pathname + location.search)
}

export interface Workspace {
  id: string
  name: string
}

interface WorkspaceChoiceProps {
  reason: string
  workspaces: readonly Workspace[]
  isPending?: boolean
  onChoose: (workspaceId: string) => void
  onBack: () => void
}

export const WorkspaceChoice = ({ reason, workspaces, isPending, onChoose, onBack }: WorkspaceChoiceProps) => (
  <section className={styles['choice']} aria-label="Choose a workspace">
    <p>{reason} Where do you want to go?</p>
    {workspaces.map(({ id, name }) => (
      <Button key={id} disabled={isPending} onClick={() => onChoose(id)}>
        {name}
      </Button>
    ))}
    <Button kind="quiet" onClick={onBack}>
      Back
    </Button>
  </section>
)
