import { contract, point } from '../../core/api/contract.ts'

export const ui = contract()('ui')

/**
 * A plugin's part of the web interface. The server knows only its path: esbuild bundles it, and Node never loads it.
 * Pages, panels and commands are declared in the browser: see browser/contract.ts.
 */
export interface UiPart {
  /** The module with a `Part` as default export: `new URL('./ui/index.tsx', import.meta.url)`. */
  entry: URL
}
export const uiParts = point<UiPart>()(ui, 'parts')
