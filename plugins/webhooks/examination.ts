import { well, wrong, type Finding } from '../../core/api/points.ts'
import type { Ctx } from './context.ts'
import { countFailing } from './queries.ts'

export async function examineWebhooks({ db }: Ctx): Promise<Finding[]> {
  const { failing, disabled } = await countFailing(db)
  if (failing + disabled === 0) return [well('Every delivery arrives.')]
  return [
    wrong(
      `${failing} webhooks fail, and ${disabled} were made inactive for it: Settings → Webhooks shows the last ` +
        'answer of each; make it active again when its address answers.'
    )
  ]
}
