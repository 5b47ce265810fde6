import type { EndpointName } from '@carillon/contract'

/** Reads that change with a key: configs have the number of their keys. */
export const keyReads = ['apiKeys.list', 'keyConfigs.list', 'keyConfigs.get'] as const satisfies readonly EndpointName[]
