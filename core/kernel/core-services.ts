import type { CoreServices } from '../api/plugin.ts'
import type { Kernel } from './kernel.ts'

/** Adds the core's services to the singletons, where plugins find them as they find those of other plugins. */
export function addCoreServices({ singletons, origin, publicUrl, prefix }: Kernel): void {
  const services: CoreServices = {
    address: { origin, publicUrl, prefix }
  }
  for (const [name, service] of Object.entries(services)) singletons.add(name, () => service)
}
