import { CamelCasePlugin } from 'kysely'

/** Keys of JSON stay as they are. */
export const queryPlugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
