import type { useApi } from '../../lib/use-api.ts'

/** Reads shared by several cards of the overview. */
export type OverviewRead = ReturnType<typeof useApi<'balance.overview'>>
export type RatesRead = ReturnType<typeof useApi<'rates.list'>>
