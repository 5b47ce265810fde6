import type { SupportMessage, SupportRequest } from '@carillon/contract/support'
import type { CallData } from '../../lib/call.ts'

/** The calls for support requests also answer calls of API keys. */
export function isSupportRequest(
  request: CallData<'support.list'>['data'][number] | CallData<'support.get'>,
): request is SupportRequest {
  return request.kind !== 'api_send'
}

export function isSupportMessage(message: CallData<'support.messages'>['data'][number]): message is SupportMessage {
  return 'author' in message
}
