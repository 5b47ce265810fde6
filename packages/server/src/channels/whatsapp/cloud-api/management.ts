import type { Management } from '../../management.ts'
import type { ProviderIo } from '../../provider.ts'
import { accountCalls } from './account.ts'
import { analyse } from './analytics.ts'
import type { CloudApiConfig } from './config.ts'
import { openGraph } from './graph.ts'
import { lineCalls } from './lines.ts'
import { mediaCalls } from './media.ts'
import { profileCalls } from './profile.ts'
import { templateCalls } from './templates.ts'

/** What an account holds besides messages, by Graph's management calls. */
export function openManagement(config: CloudApiConfig, io: Pick<ProviderIo, 'egress' | 'clock'>): Management {
  const graph = openGraph(config, io.egress)
  const { wabaId } = config
  return {
    ...accountCalls(graph, config),
    ...lineCalls(graph, wabaId),
    ...templateCalls(graph, wabaId),
    ...mediaCalls(graph, config, io),
    ...profileCalls(graph),
    analyse: (range) => analyse(graph, wabaId, range),
  }
}
