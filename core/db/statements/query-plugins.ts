import { CamelCasePlugin } from 'kysely'

export const queryPlugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
