export type OptOutRequest = 'out' | 'in'

/** Keywords that must be the whole message, in several languages, as operators and Indian senders publish them. */
const requests: Record<OptOutRequest, readonly string[]> = {
  out: [
    'stop',
    'stopall',
    'stop all',
    'unsubscribe',
    'unsub',
    'cancel',
    'end',
    'quit',
    'optout',
    'opt out',
    'opt-out',
    'remove',
    'रोकें',
    'रोको',
    'रोक',
    'बंद',
    'बंद करें',
    'बंद करो',
    'बन्द',
    'स्टॉप',
    'स्टाप',
  ],
  in: ['start', 'unstop', 'subscribe', 'optin', 'opt in', 'opt-in', 'शुरू', 'शुरू करें', 'शुरू करो', 'चालू', 'स्टार्ट'],
}

const requestByKeyword = new Map(
  Object.entries(requests).flatMap(([request, words]) =>
    // Object.entries loses the type of the keys.
    words.map((word) => [word.normalize('NFC'), request as OptOutRequest] as const),
  ),
)

/** The request of a message that is only a keyword; undefined for a sentence that contains one. */
export function findOptOutKeyword(text: string): { request: OptOutRequest; keyword: string } | undefined {
  const keyword = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s\u200b-\u200d\ufeff]+/g, ' ')
    .replaceAll(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '')
  const request = requestByKeyword.get(keyword)
  return request && { request, keyword }
}
