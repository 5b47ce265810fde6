import { at, button, element, icon, isScrolledDown, post, settle, toBase64, withDays } from './dom.js'
import { bubble, suggestionIcons } from './rcs-bubble.js'

/** A conversation with an RCS agent as its customer sees it. */
const chat = { number: '', agent: undefined, drawn: new Map(), typedAt: 0 }

const way = (action) => `/api/rbm/people/${chat.number}${action}`

export function showRcs({ number, device, agent, messages, isNew }) {
  if (number !== chat.number || agent.id !== chat.agent?.id) startChat(number)
  chat.agent = agent
  chat.number = number
  showHead(device, agent)
  const thread = at('rcs-thread')
  const isAtEnd = isNew || isScrolledDown(thread)
  const taps = messages.flatMap(({ rcs }) => (rcs?.tapped ? [rcs.tapped] : []))
  const nothing = element('p', { className: 'rcs-nothing', text: `Send a message to ${agent.name} to start a chat.` })
  settle(thread, [
    ...(messages.length > 0 ? withDays(messages, (message) => drawOnce(message, taps)) : [nothing]),
    ...chips(messages.at(-1)),
    ...(agent.isTyping ? [typing(agent.name)] : []),
  ])
  if (isAtEnd) thread.scrollTop = thread.scrollHeight
  void readWhatIsSeen(messages)
}

function startChat(number) {
  Object.assign(chat, { number, drawn: new Map(), typedAt: 0 })
  at('rcs-menu').open = false
  say('')
}

function showHead(device, agent) {
  const logo = element('img', { src: agent.logo, alt: '' })
  const initial = agent.name.slice(0, 1)
  logo.addEventListener('error', () => logo.replaceWith(initial))
  if (at('rcs-logo').dataset.agent !== agent.id) at('rcs-logo').replaceChildren(agent.logo ? logo : initial)
  at('rcs-logo').dataset.agent = agent.id
  // The policy of the page forbids style attributes, but not this.
  at('rcs').style.setProperty('--rcs-brand', agent.color)
  at('rcs-name').textContent = agent.name
  at('rcs-badge').toggleAttribute('hidden', !agent.isVerified)
  at('rcs-about').textContent = aboutOf(device, agent)
  at('rcs-online').checked = device.isOnline
  at('rcs-receipts').checked = device.readReceipts
  at('rcs-subscription').textContent = agent.isUnsubscribed ? 'Subscribe' : 'Unsubscribe'
}

function aboutOf(device, agent) {
  if (!device.isRcs) return 'This phone has no RCS'
  if (!device.isOnline) return 'Phone is offline: messages wait'
  return agent.isUnsubscribed ? 'Unsubscribed' : agent.description
}

/** A bubble is rendered again only if one of its suggestions was tapped. */
function drawOnce(message, taps) {
  const tapped = taps.filter(({ messageId }) => messageId === message.id).map(({ postbackData }) => postbackData)
  const state = tapped.join('\n')
  const known = chat.drawn.get(message.sequence)
  if (known?.state === state) return known.node
  const node = bubble(message, { name: chat.agent.name, tapped, onTap })
  chat.drawn.set(message.sequence, { state, node })
  return node
}

/** Suggestions below the last message: gone when the conversation continues. */
function chips(message) {
  const suggestions = message?.direction === 'received' ? (message.rcs?.suggestions ?? []) : []
  if (suggestions.length === 0) return []
  const key = `chips ${message.sequence}`
  const known = chat.drawn.get(key)
  if (known) return [known.node]
  const { card, carousel } = message.rcs
  const before = [card, ...(carousel?.cards ?? [])].reduce((sum, each) => sum + (each?.suggestions.length ?? 0), 0)
  const node = element(
    'div',
    { className: 'rcs-chips', role: 'group', 'aria-label': 'Suggestions' },
    ...suggestions.map((suggestion, index) => chip(message, suggestion, before + index)),
  )
  chat.drawn.set(key, { node })
  return [node]
}

function chip(message, suggestion, index) {
  const made = button({ className: 'rcs-chip' }, () => void onTap(message, suggestion, index))
  const name = suggestionIcons[suggestion.kind]
  if (name) made.append(icon(name))
  made.append(suggestion.text)
  return made
}

function typing(name) {
  const dots = [0, 1, 2].map(() => element('i', {}))
  return element('div', { className: 'rcs-typing', role: 'img', 'aria-label': `${name} is typing` }, ...dots)
}

const announcements = {
  dial: ({ phoneNumber }) => `Calling ${phoneNumber}`,
  view_location: ({ place, query }) => `Opening the map at ${place?.label ?? query ?? 'the location'}`,
  calendar: ({ event }) => `Adding “${event.title}” to the calendar`,
  share_location: () => 'Shared your location',
}

async function onTap(message, suggestion, index) {
  const said = await post(way('/tap'), { agentId: chat.agent.id, messageId: message.id, suggestion: index })
  if (said.error) return say(said.error, true)
  if (suggestion.kind === 'url') window.open(suggestion.url, '_blank', 'noopener,noreferrer')
  say(announcements[suggestion.kind]?.(suggestion) ?? '')
  scrollDown()
}

async function readWhatIsSeen(messages) {
  if (document.visibilityState !== 'visible' || !messages.some(({ direction }) => direction === 'received')) return
  await post(way('/open'), { agentId: chat.agent.id })
}

async function writeText(text) {
  if (text.trim() === '') return
  const said = await post(way('/messages'), { agentId: chat.agent.id, text })
  if (said.error) return say(said.error, true)
  say('')
  at('rcs-text').value = ''
  scrollDown()
}

const mostPicture = 5 * 1024 * 1024

async function sendPicture(file) {
  if (!file) return
  if (file.size > mostPicture) return say('Pictures can have at most 5 MB', true)
  const bytes = await toBase64(file)
  const said = await post(way('/file'), { agentId: chat.agent.id, bytes, mimeType: file.type, fileName: file.name })
  at('rcs-file').value = ''
  say(said.error ?? '', Boolean(said.error))
}

const typedEveryMs = 5000

/** The agent is told that the person types, at most every few seconds. */
async function tellTyping() {
  if (Date.now() - chat.typedAt < typedEveryMs) return
  chat.typedAt = Date.now()
  await post(way('/type'), { agentId: chat.agent.id })
}

function scrollDown() {
  at('rcs-thread').scrollTop = at('rcs-thread').scrollHeight
}

function say(text, isBad = false) {
  at('rcs-note').textContent = text
  at('rcs-note').classList.toggle('bad', isBad)
}

export function listenToRcs(refresh) {
  const change = async (action, body) => {
    at('rcs-menu').open = false
    const said = await post(way(action), body)
    if (said.error) say(said.error, true)
    await refresh()
  }
  at('rcs-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void writeText(at('rcs-text').value)
  })
  at('rcs-text').addEventListener('input', () => void tellTyping())
  at('rcs-text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void writeText(at('rcs-text').value)
  })
  at('rcs-file').addEventListener('change', (event) => void sendPicture(event.target.files[0]))
  at('rcs-attach').addEventListener('click', () => at('rcs-file').click())
  at('rcs-attach').append(icon('image'))
  for (const [id, name] of [
    ['rcs-online', 'isOnline'],
    ['rcs-receipts', 'readReceipts'],
  ])
    at(id).addEventListener('change', (event) => void change('', { [name]: event.target.checked }))
  at('rcs-subscription').addEventListener('click', () => {
    void change('/subscription', { agentId: chat.agent.id, isSubscribed: chat.agent.isUnsubscribed })
  })
  // Typing indicators are no messages, so they are polled while a conversation is open.
  setInterval(() => {
    if (!at('rcs').hidden && !at('phone').hidden && document.visibilityState === 'visible') void refresh()
  }, 2500)
}
