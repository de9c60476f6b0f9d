import { Type } from 'typebox'
import { dependsOn, type ContextOf, type DbOf, type TablesOf, type TrxOf } from '../../core/api/plugin.ts'
import { comments } from '../comments/contract.ts'
import { embeddings } from '../embeddings/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { search } from './contract.ts'

/** The weight of closeness in meaning, for texts other than issues; the best match by words counts 1. */
export const DEFAULT_MEANING_SHARE = 0.2

const settings = Type.Object(
  {
    priors: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether more than words counts when similar issues are ranked: labels, time, state, comments.'
      })
    ),
    collapse: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether an issue is found through the known duplicates of it.' })
    ),
    meaning: Type.Optional(
      Type.Number({
        default: DEFAULT_MEANING_SHARE,
        minimum: 0,
        description:
          'What closeness in meaning counts in knowledge and other texts, where the best match by words counts 1; ' +
          'for issues it was learnt.'
      })
    )
  },
  { additionalProperties: false }
)

export const dependencies = dependsOn(search, {
  requires: [workspace, issues, comments],
  optional: [embeddings],
  settings
})
export type Ctx = ContextOf<typeof dependencies>
export type Tables = TablesOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
