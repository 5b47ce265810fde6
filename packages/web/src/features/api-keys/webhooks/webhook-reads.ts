import type { EndpointName } from '@carillon/contract'

/** Reads that change with an endpoint. */
export const endpointReads = [
  'webhookEndpoints.list',
  'webhookEndpoints.get',
] as const satisfies readonly EndpointName[]

/** Reads that change with what is sent to an endpoint. */
export const deliveryReads = [
  ...endpointReads,
  'webhookEndpoints.deliveries',
  'webhookEndpoints.delivery',
] as const satisfies readonly EndpointName[]
