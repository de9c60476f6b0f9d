import type { Actor } from '../../../../core/api/contract.ts'
import type { Ctx } from '../../context.ts'
import type { Field } from '../../fields/field.ts'
import type { Author } from './write.ts'

export interface Writer {
  readonly ctx: Ctx
  readonly fields: readonly Field[]
}

export const authorOf = ({ ctx }: Writer, { accountId, tokenId }: Actor): Author => ({
  accountId,
  tokenId,
  at: ctx.now()
})
