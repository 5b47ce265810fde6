import type { Audience } from '@carillon/contract/audience'

type People = Pick<Audience, 'format' | 'fileName' | 'mapping' | 'sample'>

/** The API request that creates the same campaign: with the file, or with the numbers themselves. */
export function asRequest(campaign: object, audience: People | undefined): { body: object; file?: string } {
  const body = { ...campaign, ...audience?.mapping }
  if (audience?.format !== 'pasted') return { body, file: audience?.fileName ?? 'people.csv' }
  const phoneColumn = audience.mapping?.phoneColumn ?? 0
  return { body: { ...body, numbers: audience.sample.map((row) => row[phoneColumn] ?? '') } }
}
