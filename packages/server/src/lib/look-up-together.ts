import { coalesce } from './coalesce.ts'

/**
 * Combines lookups of many callers into one call of `find`. A caller waits at most two milliseconds for others. If `find` fails,
 * the error is thrown to all of its callers.
 */
export function lookUpTogether<Found>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | undefined> {
  type Lookup = { key: string; found: Found | undefined }
  const add = coalesce<Lookup>(
    async (lookups) => {
      const found = await find([...new Set(lookups.map(({ key }) => key))])
      for (const lookup of lookups) lookup.found = found.get(lookup.key)
    },
    { size: 500, waitMs: 2, quietMs: 1 },
  )
  return async (key) => {
    const lookup: Lookup = { key, found: undefined }
    await add([lookup])
    return lookup.found
  }
}
