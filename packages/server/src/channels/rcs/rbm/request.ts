import type { EgressRequest } from '../../../egress/egress.ts'
import type { RevokeRequest } from '../../provider.ts'
import type { RcsMessage } from '../message.ts'
import { messageIdOf } from '../message-id.ts'

/** A request without its credentials; the path follows the version. */
export type RbmRequest = Pick<EgressRequest, 'method'> & {
  path: string
  query: Record<string, string>
  json?: object
}

const leastSeconds = 10
/** Google stores a message for at most 15 days. */
const mostSeconds = 15 * 24 * 3600

/** A repeat has the same id, and is ignored by Google. */
export function sendRequest(message: RcsMessage, { agentId, now }: { agentId: string; now: Date }): RbmRequest {
  return {
    method: 'POST',
    path: `phones/${encodeURIComponent(message.to)}/agentMessages`,
    query: { messageId: messageIdOf(message.reference), agentId },
    json: {
      contentMessage: message.content,
      messageTrafficType: message.traffic,
      ttl: `${secondsToLive(message, now)}s`,
    },
  }
}

function secondsToLive(
  { ttlSeconds = mostSeconds, expiresAt }: Pick<RcsMessage, 'ttlSeconds' | 'expiresAt'>,
  now: Date,
): number {
  const left = Math.floor((expiresAt.getTime() - now.getTime()) / 1000)
  return Math.max(leastSeconds, Math.min(ttlSeconds, left, mostSeconds))
}

export function revokeRequest({ to, providerMessageId }: RevokeRequest, { agentId }: { agentId: string }): RbmRequest {
  return {
    method: 'DELETE',
    path: `phones/${encodeURIComponent(to)}/agentMessages/${encodeURIComponent(providerMessageId)}`,
    query: { agentId },
  }
}
