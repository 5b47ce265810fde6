import { defineView, idParam } from '../../../lib/url-state.ts'

export const reportsView = defineView({ campaignId: idParam('c') })
