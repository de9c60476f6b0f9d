import type { CoreServices } from '../api/plugin.ts'
import { textListeners } from '../api/points.ts'
import { assertMayEmit } from './contexts.ts'
import type { Kernel } from './kernel.ts'

/** Adds the core's services to the singletons, where plugins find them as they find those of other plugins. */
export function addCoreServices(kernel: Kernel): void {
  const { singletons, origin, publicUrl, prefix, sessions, scopes, tokens, movedTime } = kernel
  const { db: unmanagedDb, inTurn, dataDir } = kernel.database
  const services: CoreServices = {
    access: {
      get scopes() {
        return scopes()
      },
      principalOf: tokens.principalOfAnyRoute
    },
    address: { origin, publicUrl, prefix },
    database: { unmanagedDb, inTurn, dataDir, movedTime },
    eventLog: {
      emitting({ name }, trx, type, caller, events) {
        assertMayEmit(kernel, name, type)
        return kernel.events.appending(trx, type, caller, events)
      }
    },
    sessions,
    texts: {
      async written(caller, trx, texts) {
        for (const listen of kernel.items(textListeners)) await listen(caller, trx, texts)
      }
    }
  }
  for (const [name, service] of Object.entries(services)) singletons.add(name, () => service)
}
