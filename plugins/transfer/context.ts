import { access, database, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { foreignBoards, transfer, type ForeignBoards } from './contract.ts'

export const dependencies = dependsOn(transfer, { requires: [access, database] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>

/** @throws Error that names the option, when the plugin that contributes them is off */
export function foreignBoardsFor({ contributions }: Ctx, option: string): ForeignBoards {
  const [contributed] = contributions(foreignBoards)
  if (!contributed) throw new Error(`${option} needs the plugin 'importers': turn it on in the configuration.`)
  return contributed.item
}
