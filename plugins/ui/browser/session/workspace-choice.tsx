import { Button } from '../parts/controls.tsx'
import styles from './sign-in.module.css'

const HASH = '#choose-workspace'

/** Whether the address asks for a workspace: it is the way back from a provider of identities. */
export const isWorkspaceAsked = (): boolean => location.hash === HASH

/** The workspace is chosen, or the person does not want to: the address no longer asks for it. */
export function endWorkspaceChoice(): void {
  if (isWorkspaceAsked()) history.replaceState(null, '', location.pathname + location.search)
}

export interface Workspace {
  id: string
  name: string
}

interface WorkspaceChoiceProps {
  /** Explanation, e.g. `Your password is valid in these workspaces.` */
  reason: string
  workspaces: readonly Workspace[]
  isPending?: boolean
  onChoose: (workspaceId: string) => void
  onBack: () => void
}

/** Asks somebody who may sign in to several workspaces for one of them. */
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
