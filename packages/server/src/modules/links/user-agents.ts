import type { IncomingHttpHeaders } from 'node:http'

/** Programs that fetch addresses from messages to preview or scan them, and say so in the name of a browser. */
const fetchers =
  /bot\b|crawl|spider|preview|scanner|facebookexternalhit|meta-external|google-safety|googleimageproxy|safelinks|proofpoint|mimecast|barracuda/i

/** Whether a program asks for the page before any person taps the link. */
export function isFetcher({ 'user-agent': agent = '', ...headers }: IncomingHttpHeaders): boolean {
  const isBrowser = /^(?:mozilla|opera)\//i.test(agent)
  return !isBrowser || fetchers.test(agent) || isPrefetch(headers)
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return [headers['purpose'], headers['sec-purpose'], headers['x-moz']].some((value) =>
    /prefetch|preview|prerender/i.test(String(value ?? '')),
  )
}

export type Device = 'android' | 'ios' | 'computer' | 'other'

export function deviceOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): Device {
  if (/android/i.test(agent)) return 'android'
  if (/iphone|ipad|ipod/i.test(agent)) return 'ios'
  return /windows nt|macintosh|x11|cros/i.test(agent) ? 'computer' : 'other'
}
