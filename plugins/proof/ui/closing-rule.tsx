import { Choice, ErrorNote, useRequest } from '../../ui/browser/contract.ts'
import type { TeamSettings } from '../../workspace/ui/contract.ts'

const RULES = {
  ANY: 'Completed whatever its criteria say',
  MET: 'Completed when its criteria are met',
  PROVEN: 'Completed when its criteria are met, with evidence from agents'
}

export function ClosingRule({ team: { id, identifier, closing } }: { team: TeamSettings }) {
  const { mutate, error } = useRequest('teams', 'directory')
  return (
    <>
      <Choice
        label={`When an issue of ${identifier} may be completed`}
        options={Object.entries(RULES).map(([id, title]) => ({ id, title }))}
        chosen={closing.criteria}
        isWide
        onChoose={criteria =>
          mutate({ path: `/v1/teams/${id}`, body: { closing: { criteria }, previous: { closing } } })
        }
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
