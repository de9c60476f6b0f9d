/*
 * The bundle has this instead of the package `entities`, whose tables are a tenth of the editor: the browser has them,
 * too.
 */

/** @param entity one reference with its semicolon: `&auml;`. @returns its text; an unknown one stays as it is */
export function decodeHTMLStrict(entity: string): string {
  const element = document.createElement('p')
  element.innerHTML = entity
  return element.textContent
}
