import type { WhatsappManagement } from '../management.ts'
import type { ProviderIo } from '../../provider.ts'
import { accountCalls } from './account.ts'
import { queryAnalytics } from './analytics.ts'
import type { CloudApiConfig } from './config.ts'
import { openGraph } from './graph.ts'
import { lineCalls } from './lines.ts'
import { mediaCalls } from './media.ts'
import { profileCalls } from './profile.ts'
import { templateCalls } from './templates.ts'

/** The management calls of the Graph API. */
export function openManagement(config: CloudApiConfig, io: Pick<ProviderIo, 'egress' | 'clock'>): WhatsappManagement {
  const graph = openGraph(config, io.egress)
  const { wabaId } = config
  return {
    access: accountCalls(graph, config),
    lines: lineCalls(graph, wabaId),
    templateReview: templateCalls(graph, wabaId),
    media: mediaCalls(graph, config, io),
    profile: profileCalls(graph),
    analytics: { query: (range) => queryAnalytics(graph, wabaId, range) },
  }
}
