import type { useApi } from '../../lib/use-api.ts'

/** The reads that several cards of the overview share. */
export type OverviewRead = ReturnType<typeof useApi<'balance.overview'>>
export type RatesRead = ReturnType<typeof useApi<'rates.list'>>
