import { randomKey } from '../../../ui/browser/contract.ts'

/** With these headers an issue is created once, however often its body is sent until `end`; also after a reload. */
export function onceFor(body: object) {
  const name = `tracker.once.${JSON.stringify(body)}`
  const key = sessionStorage.getItem(name) ?? randomKey()
  try {
    sessionStorage.setItem(name, key)
  } catch {
    // There is no room for it: a repetition is another request.
  }
  return { headers: { 'idempotency-key': key }, end: () => sessionStorage.removeItem(name) }
}
