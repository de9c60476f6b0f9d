import { database, dependsOn, texts, type ContextOf, type TrxOf, type UnmanagedDbOf } from '../../core/api/plugin.ts'
import { issues } from '../issues/contract.ts'
import { proof } from '../proof/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { comments, commentSections, type CommentSection } from './contract.ts'

export const dependencies = dependsOn(comments, { requires: [workspace, issues, database, texts], optional: [proof] })
export type Ctx = ContextOf<typeof dependencies>
export type UnmanagedDb = UnmanagedDbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>

export const sectionsOf = ({ contributions }: Ctx): CommentSection[] =>
  contributions(commentSections).map(({ item }) => item)
