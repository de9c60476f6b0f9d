import { Type } from 'typebox'
import { address, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { agents } from '../agents/contract.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { git } from './contract.ts'

const settings = Type.Object(
  {
    accounts: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'Authors of pull requests (logins) -> e-mail addresses or names of the accounts that they are here.'
    }),
    accountName: Type.String({
      default: 'Git',
      minLength: 1,
      maxLength: 200,
      description: 'The agent that acts for authors who are mapped to nobody.'
    })
  },
  { additionalProperties: false }
)
export const dependencies = dependsOn(git, { requires: [workspace, agents, issues, comments, address], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
