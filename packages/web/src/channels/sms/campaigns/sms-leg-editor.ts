import type { LegEditor } from '../../channel-campaigns.ts'
import { emptyValues } from './sms-values.ts'
import { useSmsLeg } from './use-sms-leg.tsx'

export const smsLegEditor: LegEditor = {
  emptyValues,
  previewedBy: 'server',
  limitsValues: true,
  outcomes: () => [],
  acceptsTtl: true,
  useLeg: useSmsLeg,
}
