import { ErrorNote } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import './waiting.css'

let html = ''
/** Keeps the HTML that the page shows before the scripts have run. */
export function keepWaiting({ innerHTML }: HTMLElement): void {
  html = innerHTML
}

export const Waiting = ({ error }: { error: Error | null }) => (
  <>
    <div dangerouslySetInnerHTML={{ __html: html }} />
    {error && (
      <div className="waiting-problem">
        <ErrorNote error={error} />
        <Button onClick={() => location.reload()}>Try again</Button>
      </div>
    )}
  </>
)
