import { z } from 'zod'
import { defineProviderJob } from '../../jobs/jobs.ts'

export const DeliveryKey = z.object({ organizationId: z.string(), deliveryId: z.string() })
export type DeliveryKey = z.infer<typeof DeliveryKey>

export const deliverReport = defineProviderJob('reports.deliver', DeliveryKey, 'reports')
