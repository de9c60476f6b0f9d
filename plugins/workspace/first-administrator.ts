/** The name of a workspace's first administrator, until they change it. */
export const FIRST_ADMINISTRATOR = 'Administrator'
