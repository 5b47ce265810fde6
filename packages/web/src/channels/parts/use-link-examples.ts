import type { VariableSource } from '@carillon/contract/campaign-records'
import { exampleLink } from '@carillon/contract/link-addresses'
import { useApi } from '../../lib/use-api.ts'

/**
 * For previews: tracked links as values of the length that each recipient's address will have. The server computes the addresses when
 * the campaign is validated.
 */
export function useLinkExamples(
  sources: readonly (VariableSource | undefined)[],
): (source: VariableSource) => VariableSource {
  const hasLinks = sources.some((source) => source?.link !== undefined)
  const settings = useApi('links.settings', {}, { enabled: hasLinks, staleTime: 60_000 })
  const origin = settings.data?.origin ?? window.location.origin
  return (source) => (source.link === undefined ? source : { fallback: exampleLink(origin) })
}
