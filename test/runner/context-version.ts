/** The version of a context in JSON, or in JSON within JSON: it differs where times differ. */
export const CONTEXT_VERSION = /(?<="version\\?":\\?")[\w-]{10}(?=\\?")/g
