/*
 * Run at the end of `npm install`, and when the image is built: prepares files for faster starts. Without it (`npm
 * install --ignore-scripts`) everything works; a first start then makes its database itself, and each start loads the
 * unbundled libraries.
 */
import { prepareCluster } from '../core/db/embedded/prepared-cluster.ts'
import { bundleLibraries } from './bundle-libraries.ts'

async function prepare(work: () => Promise<unknown>, failure: string): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${failure}: ${(error as Error).message}\n`)
  }
}

await prepare(bundleLibraries, 'The libraries could not be bundled, so each start takes longer')
await prepare(prepareCluster, 'The empty database could not be prepared, so a first start takes some seconds more')
