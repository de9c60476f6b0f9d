/** `issueId` as `issue_id`: the name of a column. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
