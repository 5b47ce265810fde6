import { messages } from '@carillon/contract/errors'
import { CallError } from './call.ts'

/** The `userIds` of a call; throws unless it is a non-empty array. */
export function userIdsParameter(ids: unknown): string {
  if (ids === undefined || ids === null) throw new CallError({ message: messages.noUserIds, code: 'bad_request' })
  if (!Array.isArray(ids)) throw new CallError({ message: messages.userIdsNoArray, code: 'bad_request' })
  if (ids.length === 0) throw new CallError({ message: messages.noUserIds, code: 'bad_request' })
  return ids.join(',')
}
