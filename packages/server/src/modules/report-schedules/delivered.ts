import type { Selectable } from 'kysely'
import type { Database } from '../../db/pool.ts'
import type { ReportDeliveries, Reports } from '../../db/schema.ts'
import type { Egress } from '../../egress/egress.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { FileStore } from '../files/index.ts'
import type { DeliveryKey } from './delivery-job.ts'
import type { ScheduleRow } from './schedules.queries.ts'

export type DeliveryDeps = {
  database: Database
  store: FileStore
  clock: Clock
  egress: Egress
  secretBox: SecretBox
}

export type Delivered = {
  key: DeliveryKey
  delivery: Selectable<ReportDeliveries>
  schedule: ScheduleRow
  report: Selectable<Reports>
}
