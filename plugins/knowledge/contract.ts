import { contract } from '../../core/plugin.ts'
export const knowledge = contract()('knowledge')
