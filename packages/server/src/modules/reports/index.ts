/** Dashboard counts and report files. The counts come from the engine and from campaigns. */
export { reportHandlers } from './handlers.ts'
