export { eachSeparately } from '../http/each-separately.ts'
export {
  acceptsEncoding,
  arrayPieces,
  PreferHeader,
  sendJson,
  streamJson,
  wantsRepresentation
} from '../http/http-answers.ts'
export { version } from '../../lib/packages/version.ts'
export { makeAgent, PrivateAddressError } from '../http/outgoing/public-addresses.ts'
export { cursorOf, placeOf, type Place } from '../http/place-cursor.ts'
export { READING, readAhead, type BeginRead } from '../http/read-ahead.ts'
export { guardOf, problemsOf, unstorableText, validatorCompiler } from '../http/validation.ts'
