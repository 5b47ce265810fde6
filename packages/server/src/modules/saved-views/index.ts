/** Views of lists: search, filters, order and columns that an account saved under a name. */
export { savedViewHandlers } from './handlers.ts'
