import { parseFields } from './field-list.ts'
import type { Call } from './graph.ts'
import { GraphError, invalid } from './graph-error.ts'
import { needProduct } from './numbers.ts'
import type { PhoneNumber, Profile, Row } from './objects.ts'
import { needOneOf, readText } from './reading.ts'

const verticals = [
  ...(['UNDEFINED', 'ALCOHOL', 'APPAREL', 'AUTO', 'BEAUTY', 'EDU', 'ENTERTAIN', 'EVENT_PLAN', 'FINANCE'] as const),
  ...(['GOVT', 'GROCERY', 'HEALTH', 'HOTEL', 'NONPROFIT', 'ONLINE_GAMBLING', 'OTC_DRUGS', 'OTHER'] as const),
  ...(['PHYSICAL_GAMBLING', 'PROF_SERVICES', 'RESTAURANT', 'RETAIL', 'TRAVEL'] as const),
] as const

const lengths = { about: 139, address: 256, description: 512, email: 128 } as const

export function readProfile({ query }: Call, number: PhoneNumber) {
  const names = parseFields(query.fields)?.map(({ name }) => name)
  const whole: Row = { ...number.profile }
  const shown = Object.entries(whole).filter(([name]) => names === undefined || names.includes(name))
  return { data: [{ ...Object.fromEntries(shown), messaging_product: 'whatsapp' }] }
}

export function changeProfile({ graph, body, request }: Call, number: PhoneNumber) {
  needProduct(body)
  const changes: Profile = {}
  for (const name of ['about', 'address', 'description', 'email'] as const) {
    const text = readText(body, name, { most: lengths[name] })
    if (text !== undefined) changes[name] = text
  }
  if (changes.about === '') throw invalid('about must have 1 to 139 characters')
  if (changes.email && !/^\S+@\S+\.\S+$/.test(changes.email)) throw invalid('email is not an address')
  if (body.websites !== undefined) changes.websites = readWebsites(body.websites)
  if (body.vertical !== undefined) changes.vertical = needOneOf(body.vertical, verticals, 'vertical')
  const handle = readText(body, 'profile_picture_handle')
  if (handle !== undefined) {
    const file = graph.meta.handles.get(handle)
    if (!file?.mimeType.startsWith('image/'))
      throw new GraphError(100, { message: '(#100) profile_picture_handle is not the handle of an uploaded image' })
    changes.profile_picture_url = `${request.protocol}://${request.host}/api/graph/files/${encodeURIComponent(handle)}`
  }
  Object.assign(number.profile, changes)
  return { success: true }
}

function readWebsites(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > 2) throw invalid('websites must be a list of at most 2')
  return value.map((each: unknown) => {
    if (typeof each !== 'string' || each.length > 256 || !/^https?:\/\//.test(each))
      throw invalid('websites must begin with http:// or https:// and have at most 256 characters')
    return each
  })
}
