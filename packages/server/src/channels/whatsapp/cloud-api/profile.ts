import { businessVerticals, type WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Profiles } from '../../management.ts'
import type { Graph } from './graph.ts'
import { isRow, rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'

const fields = 'about,address,description,email,profile_picture_url,websites,vertical'

export function profileCalls(graph: Graph): Profiles<WhatsappProfile> {
  const pathOf = (lineId: string) => `${encodeURIComponent(lineId)}/whatsapp_business_profile`
  return {
    async get(lineId) {
      const [row] = rowsOf((await graph({ path: pathOf(lineId), query: { fields } }))['data'])
      return readProfile(row ?? {})
    },
    async save(lineId, { about, vertical, pictureHandle, websites, address, description, email }) {
      const json = {
        messaging_product: 'whatsapp',
        // These two cannot be cleared.
        ...(about === '' ? {} : { about }),
        ...(vertical === 'UNDEFINED' ? {} : { vertical }),
        address,
        description,
        email,
        websites,
        ...(pictureHandle === undefined ? {} : { profile_picture_handle: pictureHandle }),
      }
      await graph({ method: 'POST', path: pathOf(lineId), json })
    },
  }
}

/** Some API versions nest the fields one level deeper. */
function readProfile(given: Row): WhatsappProfile {
  const row = isRow(given['business_profile']) ? rowOf(given['business_profile']) : given
  const websites = Array.isArray(row['websites']) ? row['websites'].flatMap((site) => stringOf(site) ?? []) : []
  const picture = stringOf(row['profile_picture_url'])
  return {
    about: stringOf(row['about']) ?? '',
    address: stringOf(row['address']) ?? '',
    description: stringOf(row['description']) ?? '',
    email: stringOf(row['email']) ?? '',
    websites,
    vertical: businessVerticals.find((vertical) => vertical === row['vertical']) ?? 'UNDEFINED',
    ...(picture === undefined ? {} : { profile_picture_url: picture }),
  }
}
