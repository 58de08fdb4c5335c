/** Of V8's young heap in a thread, MiB, a third of what it takes by itself: what threads make is handed on or dropped at once. */
export const YOUNG_MIB = 16
