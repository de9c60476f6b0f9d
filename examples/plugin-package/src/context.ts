import { dependsOn, Type, type ContextOf, type DbOf, type TrxOf } from 'tracker/api'
import { issues } from 'tracker/contracts/issues'
import { workspace } from 'tracker/contracts/workspace'
import { votes } from './contract.ts'

const settings = Type.Object({
  maxPerIssue: Type.Integer({ default: 1000, minimum: 1, description: 'Votes that an issue may get at most.' })
})
export const dependencies = dependsOn(votes, { requires: [workspace, issues], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
