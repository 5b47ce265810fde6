import { accountEndpoints } from './accounts.ts'
import { audienceEndpoints } from './audience.ts'
import { authEndpoints } from './auth.ts'
import { balanceEndpoints } from './balance.ts'
import { campaignEndpoints } from './campaigns.ts'
import { defineEndpoints, type Endpoint } from './endpoint.ts'
import { fileEndpoints } from './files.ts'
import { messageEndpoints } from './messages.ts'
import { reportEndpoints } from './reports.ts'
import { senderEndpoints } from './senders.ts'
import { templateEndpoints } from './templates.ts'

/** Every call of the product. The server mounts all of it or does not start; the browser can call nothing else. */
export const endpoints = defineEndpoints({
  ...authEndpoints,
  ...accountEndpoints,
  ...balanceEndpoints,
  ...fileEndpoints,
  ...senderEndpoints,
  ...templateEndpoints,
  ...audienceEndpoints,
  ...messageEndpoints,
  ...campaignEndpoints,
  ...reportEndpoints,
})

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export type { Endpoint }
