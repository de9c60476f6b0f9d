const COMMANDING = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu
const escapeCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
/** Spells control and bidi characters as escapes (`\u001b`). JSON keeps its meaning. */
export const spellControls = (text: string): string => text.replaceAll(COMMANDING, escapeCode)
