import { isIP } from 'node:net'

/** The address in the form it is stored and shown in; undefined for what is none. A port is cut off, IPv4 in IPv6 unwrapped. */
export function normalizeAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  const address = bare.split('%')[0]?.toLowerCase() ?? ''
  const inner = /^::ffff:(\d+(?:\.\d+){3})$/.exec(address)?.[1] ?? address
  return isIP(inner) ? inner : undefined
}

/**
 * What limits by address count by: an IPv4 address, or the /64 network of an IPv6 one, since a single customer has at
 * least a whole /64 to choose addresses from.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const tailGroups = tail.split(':').filter(Boolean)
  const isShortened = address.includes('::')
  // An embedded IPv4 address at the end stands for two groups.
  const tailLength = tailGroups.length + (tail.includes('.') ? 1 : 0)
  const zeros = isShortened ? Math.max(0, 8 - groups.length - tailLength) : 0
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...tailGroups]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
