import { at, element, isScrolledDown, post, settle, time, withDays, withLinks } from './dom.js'

/** The SMS conversation of one phone: bubbles with part boundaries, and a field to reply. */
export function showSms(messages, isNew) {
  const thread = at('thread')
  const isAtEnd = isNew || isScrolledDown(thread)
  const nothing = element('p', { className: 'quiet', text: 'No SMS has reached this phone.' })
  settle(thread, messages.length > 0 ? withDays(messages, bubble) : [nothing])
  showPeers(messages)
  if (isAtEnd) thread.scrollTop = thread.scrollHeight
}

function bubble(message) {
  const parts =
    message.parts > 1 ? [' · ', element('span', { className: 'parts', text: `${message.parts} parts` })] : []
  const unicode = message.encoding === 'ucs2' ? ' · Unicode' : ''
  const sender =
    message.direction === 'replied'
      ? element('p', { className: 'sender', text: `to ${message.peer}` })
      : element('p', { className: 'sender' }, element('b', { text: message.peer || 'No sender' }))
  const about = element(
    'p',
    { className: 'about', text: time.format(new Date(message.at)) },
    ...parts,
    unicode,
    ` · ${message.via}`,
  )
  if (message.templateId) about.append(` · template ${message.templateId}`)
  return element(
    'article',
    { className: `message ${message.direction}` },
    sender,
    element('div', { className: 'bubble' }, ...withSeams(message)),
    about,
  )
}

/** A thin line between two parts. */
function withSeams({ text, parts, encoding }) {
  if (parts < 2) return withLinks(text)
  const limit = encoding === 'ucs2' ? 67 : 153
  const ends = []
  let place = 0
  let length = 0
  for (const character of text) {
    const size = encoding === 'ucs2' ? character.length : /[\f^{}\\[~\]|€]/.test(character) ? 2 : 1
    if (length + size > limit) {
      ends.push(place)
      length = 0
    }
    place += character.length
    length += size
  }
  return [...ends, place].flatMap((end, index) => [
    ...(index === 0 ? [] : [seam(index)]),
    ...withLinks(text, ends[index - 1] ?? 0, end),
  ])
}

function seam(index) {
  return element('span', { className: 'seam', title: `Part ${index} ends here` })
}

function showPeers(messages) {
  const select = at('to')
  const peers = [...new Set(messages.map(({ peer }) => peer).filter(Boolean))].reverse()
  at('reply').hidden = peers.length === 0
  if (peers.join() === Array.from(select.options, ({ value }) => value).join()) return
  select.replaceChildren(...peers.map((peer) => new Option(peer, peer)))
}

export function listenToSms(number) {
  async function answer(text) {
    const to = at('to').value
    if (text.trim() === '' || to === '') return
    const said = await post(`/api/numbers/${number()}/reply`, { to, text })
    if (said.error) return noteSms(said.error, true)
    noteSms(said.isWaiting ? 'No client is connected. It will be delivered on the next connection.' : '')
    at('text').value = ''
    at('thread').scrollTop = at('thread').scrollHeight
  }

  at('reply').addEventListener('submit', (event) => {
    event.preventDefault()
    void answer(at('text').value)
  })
  at('text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void answer(at('text').value)
  })
  for (const each of document.querySelectorAll('[data-say]'))
    each.addEventListener('click', () => void answer(each.dataset.say))
}

export function noteSms(text, isBad = false) {
  at('note').textContent = text
  at('note').classList.toggle('bad', isBad)
}
