import type { Call } from './graph.ts'

/** Calls that need no token of a business. */
export const openCalls: Record<string, (call: Omit<Call, 'token'>) => unknown> = {}
