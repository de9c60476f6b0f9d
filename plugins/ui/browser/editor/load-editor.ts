/** The editor is a separate chunk: reading needs none of its libraries. */
export const loadEditor = () => import('./prose/editor.tsx')
