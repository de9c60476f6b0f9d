export { insertToken, removeAccount, renewToken, revokeToken, revokeTokens } from '../auth/accounts.ts'
export { assertOwnWorkspace, onBehalfOf, validSession } from '../auth/auth.ts'
export type { Cookies } from '../auth/cookies.ts'
export { isLoopback } from '../auth/loopback.ts'
export { runAsSharer, Shares } from '../limits/shares.ts'
export { networkOf } from '../auth/sign-in-places.ts'
export type { StartReads } from '../auth/token-login.ts'
export { hashToken, isWellFormedToken, newToken } from '../auth/tokens.ts'
export {
  accountCreated,
  accountDeleted,
  accountTokenRotated,
  accountUpdated,
  tokenCreated,
  tokenRevoked
} from '../events/account-events.ts'
export { AccountNames } from '../auth/account-names.ts'
