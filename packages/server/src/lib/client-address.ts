import { isIP } from 'node:net'

/** The address in its stored form: port removed, IPv4-mapped IPv6 unwrapped. Undefined if the text is not an address. */
export function normalizeAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  const address = bare.split('%')[0]?.toLowerCase() ?? ''
  const inner = /^::ffff:(\d+(?:\.\d+){3})$/.exec(address)?.[1] ?? address
  return isIP(inner) ? inner : undefined
}

/** The key for limits by address: an IPv4 address, or the /64 network of an IPv6 address, since a single customer controls at least a whole /64. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const tailGroups = tail.split(':').filter(Boolean)
  const isShortened = address.includes('::')
  // An embedded IPv4 address at the end counts as two groups.
  const tailLength = tailGroups.length + (tail.includes('.') ? 1 : 0)
  const zeros = isShortened ? Math.max(0, 8 - groups.length - tailLength) : 0
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...tailGroups]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
