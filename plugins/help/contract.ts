import { contract } from '../../core/api/contract.ts'

export const help = contract()('help')
