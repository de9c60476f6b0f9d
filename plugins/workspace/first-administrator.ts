/** Until they change it. */
export const FIRST_ADMINISTRATOR = 'Administrator'
