import { invalid } from '../../../core/api/errors.ts'
import type { CallerHeader } from '../../../core/api/points.ts'

/** `If-Claim`: a write to an issue whose claim has another fence is refused. */
export const ifClaim: CallerHeader = {
  name: 'if-claim',
  read(value) {
    if (!/^\d{1,9}$/.test(value)) throw invalid('The header If-Claim must be the fence of a claim, such as 3.')
    return { claims: { fence: Number(value) } }
  }
}
