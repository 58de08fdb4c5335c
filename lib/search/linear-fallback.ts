import { setFlagsFromString } from 'node:v8'

/**
 * V8 then turns to its linear engine where a regex backtracks without end, if it has no lookahead and no large counts.
 * Only a regex made afterwards gets it, so this module comes before all that make some.
 */
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
